# Third-party libraries, all of them packaged by Debian 12.
find_package(Threads REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
find_path(SINEW_TINYOBJ_INCLUDE tiny_obj_loader.h REQUIRED)
find_path(SINEW_STB_INCLUDE stb/stb_easy_font.h REQUIRED)
pkg_check_modules(SPNG REQUIRED IMPORTED_TARGET spng)

# Debian's static pugixml holds references to libstdc++; a build with libc++ leaves them to the shared one.
if(SINEW_LIBCXX)
  set(SINEW_PUGIXML pugixml::shared)
else()
  set(SINEW_PUGIXML pugixml::static)
endif()

# Ordering of sparse factorizations (SuiteSparse). Linked statically, it adds no dependency at run time.
find_library(SINEW_AMD NAMES libamd.a amd REQUIRED)
