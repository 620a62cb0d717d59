# Compiler settings shared by every target: language level, warnings, floating point, sanitizers, ccache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(SINEW_X86 ON)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers name no times and no macros of the caller's, which ccache has to be told.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Headers that most files of a target include are compiled once. With -fpch-preprocess ccache sees which ones. They are
# named in <>, so that no path of this checkout is in what ccache compares with other checkouts.
option(SINEW_PRECOMPILE "Precompile headers that most files include" ON)
function(sinew_precompile target)
  if(SINEW_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-fpch-preprocess>)
  endif()
endfunction()

# Results must not depend on the compiler or the instruction set: no contraction into FMA, no reassociation.
# errno of the math functions is never read. Straight-line vectorization spills small vectors to the stack and loads them
# back in other widths, which stalls; loops are vectorized all the same.
# Kernels join masks by & and |, as lanes must; those of one world are bool, of which clang would warn.
add_library(sinew_settings INTERFACE)
target_compile_options(sinew_settings INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize
  -Wall -Wextra -Wshadow -Wno-psabi -Wno-deprecated-copy $<$<BOOL:${SINEW_WARNINGS_ARE_ERRORS}>:-Werror> $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wno-sign-conversion>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>
)

if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  # What a sanitizer adds to a function makes g++ suspect reads and writes that are none.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
