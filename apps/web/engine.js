// The engine in WebAssembly, with arrays instead of pointers. Arrays are views of its memory: they are good until the
// next call, after which memory may have moved.
import makeModule from "engine.mjs";

const ACTUATOR = 19, CAMERA = 7, KEY = 24, SENSOR = 20; // mjtObj
// GpuPassKind of gpu_plan.h
export const PASSES = [
  "shadow", "mirrorMark", "mirrorImage", "mirrorVeils", "mirrorFace", "opaque", "sky", "transparent", "flat",
];
const PASS_WORDS = 9, FRAME_FLOATS = 64, LIGHT_FLOATS = 44, DRAW_WORDS = 46; // structs of gpu_plan.h, in 4 bytes each

// `plugins`: names by the slots that the model knows them by.
export async function openEngine(model, plugins) {
  const wasm = await makeModule();
  const text = (pointer) => wasm.UTF8ToString(pointer);
  const ints = (pointer, count) => new Int32Array(wasm.HEAP32.buffer, pointer, count);
  const floats = (pointer, count) => new Float32Array(wasm.HEAP32.buffer, pointer, count);
  const doubles = (pointer, count) => new Float64Array(wasm.HEAP32.buffer, pointer, count);

  for (const name of plugins) {
    const memory = wasm._malloc(4 * name.length + 1);
    wasm.stringToUTF8(name, memory, 4 * name.length + 1);
    const slot = wasm._web_plugin(memory);
    wasm._free(memory);
    if (slot < 0) throw new Error(`the page has no plugin '${name}'`);
  }
  const bytes = wasm._malloc(model.length);
  wasm.HEAPU8.set(model, bytes);
  const loaded = wasm._web_load(bytes, model.length);
  wasm._free(bytes);
  if (!loaded) throw new Error(text(wasm._web_error()));
  const names = (type, kind) =>
    Array.from({ length: wasm._web_count(type) }, (_, i) => text(wasm._web_name(type, i)) || `${kind} ${i}`);

  return {
    actuators: names(ACTUATOR, "actuator").map((name, i) => ({
      name,
      lower: wasm._web_lower(i),
      upper: wasm._web_upper(i),
    })),
    cameras: names(CAMERA, "camera"),
    keyframes: names(KEY, "keyframe"),
    sensors: names(SENSOR, "sensor"),
    timestep: wasm._web_timestep(),

    error: () => text(wasm._web_error()),
    time: () => wasm._web_time(),
    qpos: () => doubles(wasm._web_qpos(), wasm._web_nq()),
    qvel: () => doubles(wasm._web_qvel(), wasm._web_nv()),
    ctrl: () => doubles(wasm._web_ctrl(), wasm._web_count(ACTUATOR)),
    sensor: (number) => doubles(...ints(wasm._web_sensor(number), 2)),
    forward: () => wasm._web_forward(),
    reset: (key) => wasm._web_reset(key),
    step: (count) => wasm._web_step(count),
    advance: (seconds, budget) => wasm._web_advance(seconds, budget),
    hold: () => wasm._web_hold(),

    // Messages of the link with a program (apps/viewer/link.h).
    request: (paused) => doubles(...ints(wasm._web_request(paused), 2)).slice(),
    take(reply, paused) {
      const memory = wasm._malloc(8 * reply.length);
      doubles(memory, reply.length).set(reply);
      const still = wasm._web_take(memory, reply.length, paused);
      wasm._free(memory);
      if (still < 0) throw new Error("the program shows another model");
      return still !== 0;
    },
    askSteps: (count) => wasm._web_ask_steps(count),

    press: (button, control, x, y, seconds) => wasm._web_press(button, control, x, y, seconds),
    release: () => wasm._web_release(),
    drag: (x, y, shift) => wasm._web_drag(x, y, shift),
    zoom: (by) => wasm._web_zoom(by),
    selected: () => wasm._web_selected(),
    camera: (number) => wasm._web_camera(number),

    // The plan of a picture; see GpuPlan and struct Picture.
    picture(width, height, mostTexels) {
      const pointer = wasm._web_picture(width, height, mostTexels);
      if (!pointer) throw new Error(text(wasm._web_error()));
      const [passes, passCount, frames, frameCount, lights, lightCount, draws, drawCount, bars, barVertices, shadowSize,
        shadowLayers, additive, triangles] = ints(pointer, 14);
      const numbers = (from, words, count) => Array.from({ length: count }, (_, i) => ints(from + 4 * words * i, words));
      return {
        passes: numbers(passes, PASS_WORDS, passCount).map(([kind, index, frame, first, count]) => ({
          kind: PASSES[kind], index, frame, first, count,
        })),
        frames: Array.from({ length: frameCount }, (_, i) => floats(frames + 4 * FRAME_FLOATS * i, FRAME_FLOATS)),
        lights: floats(lights, LIGHT_FLOATS * lightCount),
        draws: numbers(draws, DRAW_WORDS, drawCount).map((words, i) => ({
          mesh: words[0], first: words[1], count: words[2], program: words[3], texture: words[4],
          bothSides: (words[5] & 255) !== 0,
          part: floats(draws + 4 * (DRAW_WORDS * i + 6), 40),
        })),
        bars: floats(bars, 8 * barVertices),
        shadowSize, shadowLayers, additive: additive !== 0, triangles,
      };
    },
    mesh(number) {
      const [positions, normals, texcoords, vertices, textured] = ints(wasm._web_mesh(number), 5);
      return {
        positions: floats(positions, 3 * vertices).slice(),
        normals: floats(normals, 3 * vertices).slice(),
        texcoords: textured ? floats(texcoords, 2 * vertices).slice() : new Float32Array(2 * vertices),
      };
    },
    texture(number) {
      const [texels, width, height, cube, srgb] = ints(wasm._web_texture(number), 5);
      return {
        texels: new Uint8Array(wasm.HEAP32.buffer, texels, 4 * width * height).slice(),
        width, height, cube: cube !== 0, srgb: srgb !== 0,
      };
    },
    source: (program, fragment) => text(wasm._web_source(program, fragment)),
  };
}
