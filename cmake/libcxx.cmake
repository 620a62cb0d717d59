# Toolchain of the `wheel` preset: g++ with LLVM's C++ library, linked statically and hidden.
#
# The official Python package's modules are built with libc++, and strings of theirs lie in specifications (mjString is
# std::string): below them, the library must have the same layouts. g++ remains the compiler, since only with it do
# functions of one world dispatch on the instruction set (SINEW_DISPATCH, src/simd/isa.h).
set(CMAKE_C_COMPILER gcc)
set(CMAKE_CXX_COMPILER g++)
set(SINEW_LIBCXX ON)

# Debian installs each release of LLVM in a folder of its own. The newest is taken whose headers g++ compiles: later ones
# ask for a later g++. SINEW_LLVM_FOLDERS is for tests.
if(NOT SINEW_LLVM_FOLDERS)
  file(GLOB SINEW_LLVM_FOLDERS /usr/lib/llvm-*)
  list(SORT SINEW_LLVM_FOLDERS COMPARE NATURAL ORDER DESCENDING)
endif()
set(refused "")
foreach(folder ${SINEW_LLVM_FOLDERS})
  if(NOT EXISTS ${folder}/include/c++/v1/string OR NOT EXISTS ${folder}/lib/libc++.a OR NOT EXISTS ${folder}/lib/libc++abi.a)
    continue()
  endif()
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -nostdinc++ -isystem ${folder}/include/c++/v1 -x c++ -
    INPUT_FILE ${CMAKE_CURRENT_LIST_DIR}/libcxx_probe.cc RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    set(llvm ${folder})
    break()
  endif()
  string(APPEND refused " ${folder}")
endforeach()
if(NOT llvm)
  if(refused)
    message(FATAL_ERROR "g++ cannot compile the libc++ of${refused}: install one of Debian's release, by the packages "
                        "libc++-dev and libc++abi-dev, or a later g++")
  endif()
  message(FATAL_ERROR "no static libc++ below /usr/lib/llvm-*: install the packages libc++-dev and libc++abi-dev")
endif()

# g++ suspects libc++'s hash tables of reading what they have not written, and its functions of leaving the buffer of
# small ones, where large ones never are. libc++ comes before the compiler's own library,
# which is then not needed.
set(CMAKE_CXX_FLAGS_INIT "-nostdinc++ -isystem ${llvm}/include/c++/v1 -Wno-maybe-uninitialized -Wno-array-bounds")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,--as-needed -Wl,--exclude-libs,ALL")
# Installed, it finds the libraries that are shipped beside it, and they each other.
set(CMAKE_INSTALL_RPATH "$ORIGIN")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -Wl,--disable-new-dtags")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "${llvm}/lib/libc++.a ${llvm}/lib/libc++abi.a")
