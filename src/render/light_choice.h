// Where contexts of mjr_* work out light: by default at the corners of triangles, as the fixed pipeline of MuJoCo 3.8.0
// does, since models have been trained on its pictures; or at pixels, where highlights are round.
#ifndef SINEW_RENDER_LIGHT_CHOICE_H_
#define SINEW_RENDER_LIGHT_CHOICE_H_

namespace sinew::inline render {

// From the environment variable SINEW_LIGHT; throws Error for another value than vertices and pixels.
bool LightsVertices();

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_LIGHT_CHOICE_H_
