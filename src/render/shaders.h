// Programs for graphics processors, in what GLSL 3.30 and GLSL ES 3.00 have in common; the latter with BROWSER defined.
// Formulas are those of the rays (rays/light_kernel.h, rays/sky_kernel.h).
#ifndef SINEW_RENDER_SHADERS_H_
#define SINEW_RENDER_SHADERS_H_

namespace sinew::inline render {

// Data of a picture for all programs: GpuFrame and GpuLight in gpu_plan.h, field by field.
inline constexpr char kVersion[] = "#version 330\n";
inline constexpr char kFrameBlock[] = R"(
layout(std140) uniform Frame {
  mat4 to_clip;
  vec4 eye;        // w: 1 for an orthographic projection
  vec4 forward;
  vec4 corner, across, upward;  // direction through a place of the viewport, from the lower left corner
  vec4 mirror;     // plane: n.x + w > 0 in front of it; zero without one
  vec4 fog;        // end, 1 / (end - start) or 0, whether there is fog
  vec4 fog_color;
  vec4 sky;        // whether there is one, squared radius behind which it is, radius
  vec4 haze;       // normal of its plane, height of the eye above it; all zero without one
  vec4 haze_color;
  vec4 misc;       // ambient light, share of the haze, depth's near and far plane
};
vec3 Ray(vec3 point) { return eye.w > 0.5 ? forward.xyz : normalize(point - eye.xyz); }
// A ring with clear borders on the ground and on the sky and an opaque one where both meet. With the distance r on the
// ground, the edge e and the share s it is 1 - (e - r) / (s (r + e s)) below the edge and e (1 + s) / (r + e s) above; both
// are multiplied by how far `d`, of any length, leads down.
float Haze(vec3 d) {
  float down = -dot(d, haze.xyz), share = misc.y, edge = sky.z * down;
  float run = sqrt(max(dot(d, d) - down * down, 0.0)) * haze.w;
  float whole = share * (run + edge * share);
  float ring = run < edge ? whole - edge + run : edge * (1.0 + share) * share;
  return down > 0.0 && haze.w > 0.0 ? clamp(ring / whole, 0.0, 1.0) * haze_color.a : 0.0;
}
)";

// ---- surfaces. `part`: what is constant for an instance, GpuPart in gpu_plan.h.
//
// Programs are made for what they draw, since processors run loops and choices slowly. Defined before the text:
// LIGHTS, how many; KINDS, bits of each (GpuLightKind in gpu_plan.h); MAPPING of the texture, a number of DrawMapping;
// FLAT, 1 for a given colour and 2 for depth; SHADOWS, whether in them; GLOSS, whether there are highlights; FOG and
// HAZE, whether before it; CUT, whether parts may be behind the sky; PLANE, 1 for a rectangle of a plane and 2 for its
// grid; VERTEX, whether there is light at vertices and not at pixels; SHADOW_LIGHTS, how many lights have shadows
// there.

// Light at a point: of vertices or of pixels.
inline constexpr char kLights[] = R"(
struct Light {
  vec4 pos;          // w: cosine of the cutoff
  vec4 dir;          // w: exponent
  vec4 attenuation;  // w: 1 for a directional light
  vec4 ambient, diffuse;
  vec4 specular;
  vec4 shadow;       // layer of the map, -1 without shadow; width of a texel: times distance, anywhere; map's width
  mat4 to_map;
};
uniform vec4 part[10];
#if LIGHTS > 0
layout(std140) uniform Lights { Light lights[LIGHTS]; };
// Diffuse light and highlights of light i, and what it adds to the ambient light. `kind`: its bits; `distance`: zero for
// directional lights
vec3 LightOf(int i, int kind, vec3 point, vec3 n, vec3 to_eye, inout vec3 ambient, out float distance) {
  vec3 to_light = -lights[i].dir.xyz, rgb = part[4].rgb;
  float strength = 1.0;
  distance = 0.0;
  if ((kind & 1) == 0) {  // not directional
    vec3 way = lights[i].pos.xyz - point;
    float inverse = inversesqrt(max(dot(way, way), 1e-20));
    to_light = way * inverse;
    distance = 1.0 / inverse;
    float along = -dot(to_light, lights[i].dir.xyz);
    strength = along < lights[i].pos.w ? 0.0 : 1.0;
    if ((kind & 2) != 0) {  // fades with distance
      vec3 fall = lights[i].attenuation.xyz;
      strength /= max(fall.x + distance * (fall.y + distance * fall.z), 1e-6);
    }
    if ((kind & 4) != 0) strength *= pow(max(along, 0.0), lights[i].dir.w);  // and from the middle
  }
  if ((kind & 8) != 0) ambient += rgb * lights[i].ambient.rgb * strength;
  float slope = dot(n, to_light);
  vec3 sum = rgb * lights[i].diffuse.rgb * max(slope, 0.0);
#if GLOSS == 1
  if ((kind & 16) != 0) {
    float gloss = part[5].y, exponent = part[5].z;
    float toward = max(dot(n, normalize(to_light + to_eye)), 0.0);
    float shine = exponent == 0.0 ? 1.0 : pow(toward, exponent);
    sum += lights[i].specular.rgb * (slope > 0.0 ? gloss * shine : 0.0);
  }
#endif
  return sum * strength;
}
#endif
)";

inline constexpr char kSurfaceVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
out vec3 v_point, v_normal, v_local;
out vec2 v_texcoord;
out float v_depth;
#if VERTEX == 1
out vec3 v_base;  // light that ends at one together
#if SHADOW_LIGHTS > 0
out vec3 v_shadowed[SHADOW_LIGHTS];  // of each light with shadows
#endif
#endif
void main() {
#if PLANE == 1
  v_local = vec3(mix(part[8].xy, part[8].zw, 0.5 + 0.5 * position.xy), 0.0);  // corners without rounding
  vec3 n = normal;
#elif PLANE == 2
  v_local = vec3(clamp(position.xy * part[3].xy, part[8].xy, part[8].zw), 0.0);
  vec3 n = normal;
#else
  v_local = position * part[3].xyz + vec3(0.0, 0.0, part[3].w);
  vec3 n = normal / part[3].xyz;
#endif
  v_point = vec3(dot(part[0].xyz, v_local) + part[0].w, dot(part[1].xyz, v_local) + part[1].w,
                 dot(part[2].xyz, v_local) + part[2].w);
  v_normal = vec3(dot(part[0].xyz, n), dot(part[1].xyz, n), dot(part[2].xyz, n));
  v_texcoord = texcoord;
  v_depth = dot(v_point - eye.xyz, forward.xyz);
  gl_Position = to_clip * vec4(v_point, 1.0);
#if VERTEX == 1
  v_base = part[4].rgb * (part[5].x + misc.x);
#if LIGHTS > 0
  const int kinds[LIGHTS] = int[](KINDS);
  vec3 unit = normalize(v_normal), to_eye = normalize(eye.xyz - v_point);
  int shadow = 0;
  for (int i = 0; i < LIGHTS; ++i) {
    float distance;
    vec3 sum = LightOf(i, kinds[i], v_point, unit, to_eye, v_base, distance);
#if SHADOW_LIGHTS > 0
    if ((kinds[i] & 32) != 0) {
      v_shadowed[shadow++] = clamp(sum, 0.0, 1.0);
      continue;
    }
#endif
    v_base += sum;
  }
#endif
  v_base = clamp(v_base, 0.0, 1.0);
#endif
#ifndef BROWSER
  gl_ClipDistance[0] = dot(mirror.xyz, v_point) + mirror.w;
#endif
}
)";

inline constexpr char kSurfaceFragment[] = R"(
uniform sampler2D image;
uniform samplerCube cube;
#ifdef BROWSER
uniform sampler2DShadow shadow_map;  // layers side by side
#else
uniform sampler2DArrayShadow shadow_map;
#endif
in vec3 v_point, v_normal, v_local;
in vec2 v_texcoord;
in float v_depth;
#if VERTEX == 1
in vec3 v_base;
#if SHADOW_LIGHTS > 0
in vec3 v_shadowed[SHADOW_LIGHTS];
#endif
#endif
out vec4 color;
#if SHADOWS == 1
// Whether light i reaches the point.
float Lit(int i, vec3 n, float distance) {
  vec4 own = lights[i].shadow;
  float shift = own.y * distance + own.z;
  vec4 at = lights[i].to_map * vec4(v_point + n * (1.5 * shift), 1.0);
  if (at.w <= 0.0) return 1.0;
  vec3 p = at.xyz / at.w;
#ifdef BROWSER
  float border = 1.0 / own.w;
  if (any(lessThan(p.xy, vec2(border))) || any(greaterThan(p.xy, vec2(1.0 - border)))) return 1.0;
  float layers = float(textureSize(shadow_map, 0).x) * border;
  return texture(shadow_map, vec3((p.x + own.x) / layers, p.y, p.z));
#else
  return texture(shadow_map, vec4(p.xy, own.x, p.z));  // lit beyond its border
#endif
}
#endif
void main() {
#ifdef BROWSER
  if (dot(mirror.xyz, v_point) + mirror.w < 0.0) discard;
#endif
#if FLAT == 1
  color = vec4(part[9].rgb, 1.0);
#elif FLAT == 2
  float near = misc.z, far = misc.w;
  float grey = eye.w > 0.5 ? 1.0 - (v_depth - near) / (far - near) : near * (far - v_depth) / (v_depth * (far - near));
  color = vec4(vec3(grey), 1.0);
#else
  vec3 from_eye = v_point - eye.xyz;
#if CUT == 1
  if (dot(from_eye.xy, from_eye.xy) > sky.y) discard;
#endif
#if MAPPING == 1
  vec4 texel = texture(image, v_texcoord * part[7].xy);
#elif MAPPING == 2
  vec4 texel = texture(image, vec2(part[7].x * v_local.x - 0.5, -part[7].y * v_local.y - 0.5));
#elif MAPPING == 3
  vec4 texel = texture(cube, v_local * part[7].xyz);
#else
  vec4 texel = vec4(1.0);
#endif
  vec3 ray = Ray(v_point);
#if PLANE > 0
  vec3 n = v_normal;
#else
  vec3 n = normalize(v_normal);
#endif
  vec4 own = part[4];
#if VERTEX == 1
  vec3 base = v_base, added = vec3(0.0);
#if SHADOW_LIGHTS > 0
  const int kinds[LIGHTS] = int[](KINDS);
  int shadow = 0;
  for (int i = 0; i < LIGHTS; ++i) {
    if ((kinds[i] & 32) == 0) continue;
    added += v_shadowed[shadow++] * Lit(i, n, (kinds[i] & 1) == 0 ? length(lights[i].pos.xyz - v_point) : 0.0);
  }
#endif
#else
  vec3 base = own.rgb * (part[5].x + misc.x), added = vec3(0.0);
#if LIGHTS > 0
  const int kinds[LIGHTS] = int[](KINDS);
  for (int i = 0; i < LIGHTS; ++i) {
    float distance;
    vec3 sum = LightOf(i, kinds[i], v_point, n, -ray, base, distance);
#if SHADOWS == 1
    if ((kinds[i] & 32) != 0) {
      added += clamp(sum, 0.0, 1.0) * Lit(i, n, distance);
      continue;
    }
#endif
    base += sum;
  }
#endif
#endif
  vec3 rgb = clamp((clamp(base, 0.0, 1.0) + added) * texel.rgb, 0.0, 1.0);
#if FOG == 1
  rgb = mix(fog_color.rgb, rgb, clamp((fog.x - v_depth) * fog.y, 0.0, 1.0));
#endif
  rgb *= part[5].w;  // of a mirror image
  float opacity = 0.0;
#if HAZE == 1
  opacity = Haze(from_eye);
  rgb = mix(rgb, haze_color.rgb, opacity);
#endif
  // the mirror is laid over its image: all of that is seen, but for the haze before it
  color = vec4(rgb, part[6].x > 0.5 ? opacity : own.a * texel.a);
#endif
}
)";

// ---- depth of a light's view
inline constexpr char kDepthFragment[] = "void main() {}\n";

// ---- the sky: one triangle over all of the viewport, on the far plane. Its corners, in `part`, lie at places 0 and 2
// of the viewport, of which 0..1 is seen. FOG and HAZE as for surfaces.
inline constexpr char kSkyVertex[] = R"(
out vec3 v_way;
uniform vec4 part[10];
void main() {
  vec3 place = part[gl_VertexID].xyz;
  v_way = corner.xyz + across.xyz * place.x + upward.xyz * place.y;
  gl_Position = vec4(2.0 * place.xy - 1.0, place.z, 1.0);
}
)";
inline constexpr char kSkyFragment[] = R"(
uniform samplerCube cube;
in vec3 v_way;
out vec4 color;
void main() {
  vec3 rgb = texture(cube, vec3(v_way.x, v_way.z, -v_way.y)).rgb;
#if HAZE == 1
  rgb = mix(rgb, haze_color.rgb, Haze(v_way));
#endif
#if FOG == 1
  // as thick as at the cylinder that the sky is on
  float depth = sky.z / max(length(v_way.xy), 1e-6) * dot(v_way, forward.xyz);
  rgb = mix(fog_color.rgb, rgb, clamp((fog.x - max(depth, 0.0)) * fog.y, 0.0, 1.0));
#endif
  color = vec4(rgb, 1.0);
}
)";

// ---- lines and rectangles with colours, in clip coordinates
inline constexpr char kFlatVertex[] = R"(
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 rgba;
out vec4 v_color;
void main() {
  v_color = rgba;
  gl_Position = position;
}
)";
inline constexpr char kFlatFragment[] = R"(
in vec4 v_color;
out vec4 color;
void main() { color = v_color; }
)";

// ---- pixels from memory: colours, depth, or both
inline constexpr char kPixelVertex[] = R"(#version 330
const vec2 corners[3] = vec2[](vec2(-1.0, -1.0), vec2(3.0, -1.0), vec2(-1.0, 3.0));
void main() { gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0); }
)";
inline constexpr char kPixelFragment[] = R"(#version 330
uniform sampler2D image, depths;
uniform ivec4 counts;  // lower left corner
out vec4 color;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - counts.xy;
  color = vec4(texelFetch(image, at, 0).rgb, 1.0);
  gl_FragDepth = texelFetch(depths, at, 0).r;
}
)";

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_SHADERS_H_
