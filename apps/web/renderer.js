// Executes the engine's plans (src/render/gpu_plan.h) with three.js: a scene for each kind of pass, whose materials have
// the programs that the engine gives. All that a picture consists of is decided there.
import * as THREE from "three";

const PROGRAM_BARS = -2;
const NO_MESH = -1, LIST_MESH = 7; // kNoMesh, kListMesh
const MOST_LIGHTS = 32; // in the block of lights
const LIGHT_FLOATS = 44;

// What GpuPassKind says of each pass.
const BLEND_OVER = {
  blending: THREE.CustomBlending, blendSrc: THREE.SrcAlphaFactor, blendDst: THREE.OneMinusSrcAlphaFactor,
};
const ON_MIRROR = { stencilWrite: true, stencilRef: 1, stencilFunc: THREE.EqualStencilFunc };
const VEILS = { ...BLEND_OVER, depthWrite: false };
const STATES = {
  shadow: { colorWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 },
  mirrorMark: {
    colorWrite: false, depthWrite: false, stencilWrite: true, stencilRef: 1, stencilFunc: THREE.AlwaysStencilFunc,
    stencilZPass: THREE.ReplaceStencilOp,
  },
  mirrorImage: ON_MIRROR,
  mirrorVeils: { ...VEILS, ...ON_MIRROR },
  addedMirrorVeils: { ...VEILS, ...ON_MIRROR, blendDst: THREE.OneFactor },
  mirrorFace: {
    blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneMinusSrcAlphaFactor,
  },
  opaque: {},
  sky: { depthWrite: false },
  transparent: VEILS,
  added: { ...VEILS, blendDst: THREE.OneFactor },
  bars: BLEND_OVER,
  flat: {},
};

export class Renderer {
  constructor(canvas, engine) {
    this.engine = engine;
    this.gl = new THREE.WebGLRenderer({ canvas, antialias: true, stencil: true, alpha: false });
    this.gl.autoClear = false;
    this.gl.sortObjects = false;
    this.gl.setClearColor(0, 0);
    // Depth is one at the near plane and zero at the far one.
    this.gl.state.buffers.depth.setClear(0);
    this.mostTexels = this.gl.capabilities.maxTextureSize;
    this.camera = new THREE.Camera(); // programs have their own
    this.scene = new THREE.Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.pool = [];
    this.materials = new Map();
    this.geometries = new Map();
    this.textures = new Map();
    this.frame = this.block("Frame", 64);
    this.lights = this.block("Lights", LIGHT_FLOATS * MOST_LIGHTS);
    this.turned = new THREE.Matrix4().makeScale(-1, 1, 1); // front faces go the other way round
    this.straight = new THREE.Matrix4();
    this.shadows = null;
    this.noShadows = this.shadowTarget(4, 4);
  }

  // A block of uniforms that is filled as a whole.
  block(name, floats) {
    const group = new THREE.UniformsGroup();
    group.setName(name);
    const uniform = new THREE.Uniform(new Float32Array(floats));
    group.add(uniform);
    return { group, set: (values) => uniform.value.set(values.subarray(0, floats)) };
  }

  shadowTarget(width, height) {
    const depthTexture = new THREE.DepthTexture(width, height, THREE.FloatType);
    depthTexture.compareFunction = THREE.GreaterEqualCompare;
    depthTexture.minFilter = depthTexture.magFilter = THREE.LinearFilter;
    // a colour is needed to draw, and the smallest one is taken
    return new THREE.WebGLRenderTarget(width, height, { depthTexture, format: THREE.RedFormat, stencilBuffer: false });
  }

  geometry(number) {
    const known = this.geometries.get(number);
    if (known && number !== LIST_MESH) return known;
    known?.dispose();
    // The sky's program has its own three vertices, but three.js wants some.
    const three = new Float32Array(9);
    const { positions, normals, texcoords } =
      number === NO_MESH ? { positions: three, normals: three, texcoords: three.subarray(3) } : this.engine.mesh(number);
    const made = new THREE.BufferGeometry();
    made.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    made.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    made.setAttribute("texcoord", new THREE.BufferAttribute(texcoords, 2));
    this.geometries.set(number, made);
    return made;
  }

  texture(number) {
    if (number < 0) return null;
    if (this.textures.has(number)) return this.textures.get(number);
    const { texels, width, height, cube, srgb } = this.engine.texture(number);
    let made;
    if (cube) {
      const bytes = 4 * width * (height / 6);
      const faces = Array.from({ length: 6 }, (_, i) => {
        const face = new THREE.DataTexture(texels.subarray(i * bytes, (i + 1) * bytes), width, height / 6);
        face.needsUpdate = true;
        return face;
      });
      made = new THREE.CubeTexture(faces);
      made.format = THREE.RGBAFormat;
    } else {
      made = new THREE.DataTexture(texels, width, height);
      made.wrapS = made.wrapT = THREE.RepeatWrapping;
    }
    made.colorSpace = srgb ? THREE.SRGBColorSpace : THREE.NoColorSpace;
    made.minFilter = THREE.LinearMipmapLinearFilter;
    made.magFilter = THREE.LinearFilter;
    made.generateMipmaps = true;
    made.needsUpdate = true;
    this.textures.set(number, made);
    return made;
  }

  // One for each program, state and side; what differs between draws is set before each of them.
  material(program, state, bothSides) {
    const key = `${program} ${state} ${bothSides}`;
    if (this.materials.has(key)) return this.materials.get(key);
    const made = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: this.engine.source(program, 0),
      fragmentShader: this.engine.source(program, 1),
      uniforms: {
        part: { value: new Float32Array(40) },
        image: { value: null },
        cube: { value: null },
        shadow_map: { value: this.noShadows.depthTexture },
      },
      side: bothSides ? THREE.DoubleSide : THREE.FrontSide,
      depthFunc: THREE.GreaterEqualDepth,
      blending: THREE.NoBlending,
      ...STATES[state],
    });
    // blocks that it has
    if (program !== PROGRAM_BARS) made.uniformsGroups.push(this.frame.group);
    if (/#define LIGHTS [1-9]/.test(made.fragmentShader)) made.uniformsGroups.push(this.lights.group);
    this.materials.set(key, made);
    return made;
  }

  // The i-th mesh of a scene; its own values reach the material when its turn has come.
  slot(i) {
    if (this.pool[i]) return this.pool[i];
    const mesh = new THREE.Mesh();
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.onBeforeRender = () => {
      const { uniforms } = mesh.material;
      if (mesh.draw) {
        uniforms.part.value = mesh.draw.part;
        const texture = this.texture(mesh.draw.texture);
        uniforms.image.value = texture && !texture.isCubeTexture ? texture : null;
        uniforms.cube.value = texture && texture.isCubeTexture ? texture : null;
        const { first, count } = mesh.draw;
        mesh.geometry.setDrawRange(first, count < 0 ? Infinity : count);
      }
      uniforms.shadow_map.value = (mesh.shaded && this.shadows ? this.shadows : this.noShadows).depthTexture;
      mesh.material.uniformsNeedUpdate = true;
    };
    this.pool[i] = mesh;
    return mesh;
  }

  // Draws a scene of these meshes: { program, state, geometry, draw, bothSides }.
  show(items, turned, shaded) {
    this.scene.children = items.map((item, i) => {
      const mesh = this.slot(i);
      mesh.geometry = item.geometry;
      mesh.material = this.material(item.program, item.state, item.bothSides);
      mesh.draw = item.draw;
      mesh.shaded = shaded;
      mesh.matrixWorld = turned ? this.turned : this.straight;
      return mesh;
    });
    this.gl.render(this.scene, this.camera);
  }

  showPass(plan, pass) {
    this.frame.set(plan.frames[pass.frame]);
    const added = { transparent: "added", mirrorVeils: "addedMirrorVeils" };
    const state = (plan.additive && added[pass.kind]) || pass.kind;
    const items = plan.draws.slice(pass.first, pass.first + pass.count).map((draw) => ({
      draw, state, program: draw.program, bothSides: draw.bothSides, geometry: this.geometry(draw.mesh),
    }));
    const turned = pass.kind === "mirrorImage" || pass.kind === "mirrorVeils";
    this.show(items, turned, pass.kind !== "shadow" && pass.kind !== "mirrorMark");
  }

  // Four clip coordinates and four colours a vertex.
  showBars(bars) {
    if (bars.length === 0) return;
    this.barGeometry?.dispose();
    const buffer = new THREE.InterleavedBuffer(bars.slice(), 8);
    this.barGeometry = new THREE.BufferGeometry();
    this.barGeometry.setAttribute("position", new THREE.InterleavedBufferAttribute(buffer, 4, 0));
    this.barGeometry.setAttribute("rgba", new THREE.InterleavedBufferAttribute(buffer, 4, 4));
    this.show([{ program: PROGRAM_BARS, state: "bars", bothSides: true, geometry: this.barGeometry }], false, false);
  }

  showShadows(plan) {
    const size = plan.shadowSize, width = size * plan.shadowLayers;
    if (this.shadows?.width !== width || this.shadows?.height !== size) {
      this.shadows?.dispose();
      this.shadows = this.shadowTarget(width, size);
    }
    this.shadows.viewport.set(0, 0, width, size);
    this.gl.setRenderTarget(this.shadows);
    this.gl.clear(false, true, false);
    for (const pass of plan.passes.filter(({ kind }) => kind === "shadow")) {
      this.shadows.viewport.set(pass.index * size, 0, size, size);
      this.gl.setRenderTarget(this.shadows);
      this.showPass(plan, pass);
    }
    this.gl.setRenderTarget(null);
  }

  resize(width, height, ratio) {
    this.gl.setPixelRatio(ratio);
    this.gl.setSize(width, height, false);
  }

  // Draws the present state; width and height are those of the canvas in its own pixels.
  draw() {
    const { width, height } = this.gl.domElement;
    const plan = this.engine.picture(width, height, this.mostTexels);
    this.lights.set(plan.lights);
    if (plan.triangles > 0) this.geometries.get(LIST_MESH)?.dispose(), this.geometries.delete(LIST_MESH);
    if (plan.shadowLayers > 0) this.showShadows(plan);
    this.gl.clear(true, true, true);
    for (const pass of plan.passes) {
      if (pass.kind === "shadow") continue;
      this.showPass(plan, pass);
    }
    this.showBars(plan.bars);
  }
}
