// The triangles of marching cubes.
#ifndef SINEW_ASSETS_ISOSURFACE_CASES_H_
#define SINEW_ASSETS_ISOSURFACE_CASES_H_

#include <cstdint>

namespace sinew::inline assets {

// For each set of corners of a cell that are inside (bit c: corner c), the edges on which the triangles' corners lie,
// four bits each from the lowest, three edges a triangle, 15 behind the last. Corner c is at the upper end of x, y, z
// where bits 0, 1, 2 of c are set. Edge 4 a + o is parallel to axis a; bits 0, 1 of o tell at which end of the other
// two axes. The triangles are those of W. Lorensen, H. Cline, Marching cubes: a high resolution 3D surface construction
// algorithm, SIGGRAPH 1987, in the order in which meshes of MuJoCo 3.8.0 have them; seen from outside they run
// counter-clockwise.
inline constexpr std::uint64_t kIsosurfaceCases[256] = {
    0xffffffffffffffff, 0xfffffffffffff840, 0xfffffffffffff905, 0xffffffffff984594, 0xfffffffffffff4a1,
    0xffffffffff8a1081, 0xffffffffff0594a1, 0xfffffff8a99a5a15, 0xfffffffffffff51b, 0xffffffffff4081b5,
    0xffffffffffb901b0, 0xfffffff98bb81841, 0xffffffffff54ab5a, 0xfffffffab88b0b50, 0xfffffffb9aa94904,
    0xffffffffffb98ab8, 0xfffffffffffff682, 0xffffffffff640260, 0xffffffffff826059, 0xfffffff456652592,
    0xffffffffff682a14, 0xfffffff02112a26a, 0xfffffff4a1268590, 0xffff592152126a16, 0xffffffffffb51682,
    0xfffffff51b026406, 0xfffffff82601b90b, 0xffffb91961926164, 0xfffffff682ab54a5, 0xffff250ab5a526a2,
    0xffff90494ab9a682, 0xfffffffab9a926a2, 0xfffffffffffff729, 0xffffffffff297840, 0xffffffffff572052,
    0xfffffff574478728, 0xffffffffff9724a1, 0xfffffff2978a1081, 0xfffffff14a572052, 0xffff18a571178728,
    0xffffffffff97251b, 0xfffffff9721b5840, 0xfffffff0122171b7, 0xffffb71721124284, 0xfffffff97254ab5a,
    0xffffb50b08ab8297, 0xffff2070a704a7ab, 0xfffffff8ab8b7287, 0xffffffffff768978, 0xfffffff647749409,
    0xfffffff765560680, 0xffffffffff574764, 0xfffffff4a1897687, 0xffff109619a16697, 0xffff68060576514a,
    0xfffffff57656a15a, 0xfffffffb51768978, 0xffff409497647b51, 0xffffb0176bb60680, 0xfffffff764741b71,
    0xffff976896b54ab4, 0xf0970b506a0ab076, 0xf04a0680b70760ab, 0xffffffffffab6b76, 0xfffffffffffffa63,
    0xffffffffff84063a, 0xffffffffff590a63, 0xfffffffa63459849, 0xffffffffff463143, 0xfffffff103306086,
    0xfffffff059463143, 0xffff315835638859, 0xffffffffff1b5a63, 0xfffffffa63084b51, 0xfffffff3a6b901b0,
    0xffff84181b98b3a6, 0xfffffff46556b63b, 0xffffb503b0308638, 0xffff604b90b063b6, 0xfffffffb98b863b6,
    0xffffffffffa823a2, 0xfffffff2300343a4, 0xfffffff90523a82a, 0xffff392459493a43, 0xfffffff312218148,
    0xffffffffff230310, 0xffff148182312905, 0xfffffff231215925, 0xfffffff1b5a823a2, 0xffff3a434023051b,
    0xffff901b91823a83, 0xf41b43a4924234b9, 0xffff23b42b8244b5, 0xfffffff02303b50b, 0xf48249043b4b9423,
    0xffffffffffb93923, 0xffffffffff63a297, 0xfffffff8403a6972, 0xfffffff63a205725, 0xffff728784574a63,
    0xfffffff729314634, 0xffff086063103729, 0xffff720570631461, 0xf863872815857831, 0xfffffffb51297a63,
    0xffffb512973a6840, 0xffff1b717201263a, 0xf28424172171ba63, 0xffff63b6b5465972, 0xf3b5350630608972,
    0xfb72b63b04b46b20, 0xffff728b783b8386, 0xfffffff89aa93973, 0xffff97309303a40a, 0xffff5707a073a0a8,
    0xfffffff457473a43, 0xffff173897871481, 0xfffffff310309739, 0xf805814873831857, 0xffffffffff571731,
    0xffff97393a89a1b5, 0xf09707340343ab51, 0xf73a71b7807017a8, 0xffff1b7417a47a73, 0xf3b5397348389354,
    0xffffb503b0730709, 0xffffffffffb73480, 0xfffffffffffff3b7, 0xfffffffffffffb37, 0xffffffffff7b3840,
    0xffffffffff7b3905, 0xfffffff7b3984594, 0xffffffffffa1437b, 0xfffffffb37108a18, 0xfffffff59037b4a1,
    0xffffa15a598a97b3, 0xffffffffff751371, 0xfffffff408137517, 0xfffffff130039379, 0xffff713987781841,
    0xfffffff5477434a3, 0xffff750a7037aa08, 0xffff79390330a04a, 0xfffffff98a9a3793, 0xffffffffff37b682,
    0xfffffff37b640260, 0xfffffff7b3059682, 0xffff59252645637b, 0xfffffff68214a7b3, 0xffff26a2a1021b37,
    0xffff7b30592684a1, 0xf159192a12a267b3, 0xfffffff268751371, 0xffff513753402642, 0xffff379390130826,
    0xf926937941913964, 0xffff4a3437547268, 0xfa37a26a50a02a75, 0xf04a0a3903937682, 0xffff379a396a9692,
    0xffffffffff9b3293, 0xfffffff0849b3293, 0xfffffff20330b05b, 0xffff32b24b284b45, 0xfffffffa14329b39,
    0xffffb329b2a108a0, 0xffff05b0b3203a14, 0xf5b35a152858a532, 0xfffffff321125295, 0xffff295251321408,
    0xffffffffff320130, 0xfffffff132128418, 0xffff9325499434a3, 0xf5085295a353258a, 0xfffffff320304a34,
    0xffffffffff8a2a32, 0xfffffff9b88b6b36, 0xffff0649b00b6b36, 0xffff5b0b30038368, 0xfffffff64565b36b,
    0xffffb36b689b84a1, 0xf6a16b360969b610, 0xf368380b30b054a1, 0xffffb365b615616a, 0xffff135385368589,
    0xf951940936964913, 0xfffffff013036806, 0xffffffffff643413, 0xf36834a395354389, 0xffffffffff9506a3,
    0xffff4a3043803836, 0xfffffffffffff6a3, 0xffffffffffba67b6, 0xfffffff84067ba6b, 0xfffffff590ba67b6,
    0xffff7ba67a598458, 0xfffffff6744717b1, 0xffff0b167b6b0860, 0xffff7b1714674059, 0xf15917b186167198,
    0xfffffff75665a51a, 0xffff51a5a6756840, 0xffff0191691a6967, 0xf1a6184179198167, 0xffffffffff754674,
    0xfffffff675650860, 0xfffffff467479049, 0xffffffffff678798, 0xfffffffa8bb87827, 0xffff027a0740aa7b,
    0xffff82787ba8b590, 0xf27b2592a42452ba, 0xffff7b1271214824, 0xfffffff102127b17, 0xf27b2b1821814590,
    0xffff7b1271921915, 0xffff81a751718278, 0xfa40a51a27a75a02, 0xf79078271a7a8701, 0xffffffffff792a41,
    0xfffffff754748278, 0xffffffffff752502, 0xffff904794274248, 0xfffffffffffff279, 0xfffffffba99a2a62,
    0xffffa62a29ba9084, 0xffff520ba55a2a62, 0xf2842a625b2ba245, 0xffff9b1691296614, 0xf6296086b161069b,
    0xfb14b05b62b20b46, 0xffffffffff5b1862, 0xffff9525122161a6, 0xf1a6162512529840, 0xfffffff20121a62a,
    0xffff84128162161a, 0xfffffff546562952, 0xffff295625865850, 0xffffffffff460620, 0xfffffffffffff862,
    0xffffffffff9b8ba8, 0xfffffff9ba9a4094, 0xfffffffba8b805b0, 0xffffffffff45a5ba, 0xfffffff89b8b1481,
    0xffffffffff9b0b10, 0xffff05b80b48b4b1, 0xfffffffffffff15b, 0xfffffffa89a951a5, 0xffff51a95a09a0a4,
    0xffffffffffa81801, 0xfffffffffffffa41, 0xffffffffff894954, 0xfffffffffffff095, 0xfffffffffffff480,
    0xffffffffffffffff,
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_ISOSURFACE_CASES_H_
