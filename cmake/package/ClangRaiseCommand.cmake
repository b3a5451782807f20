# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DDATABASE= -DTARGET= -DSOURCE= -DCOPY= -DRESULT= -P <this>
#
# Writes to RESULT the part of DATABASE that compiles SOURCE for TARGET; where the
# target compiles a raised COPY in its place, the command of that, as if it were
# the source's. RESULT is left alone if it says so already.
cmake_policy(VERSION 3.20...3.25)

# As CMake writes a path in JSON.
function(to_json Out Path)
  string(REPLACE "\\" "\\\\" Path "${Path}")
  string(REPLACE "\"" "\\\"" Path "${Path}")
  set(${Out} "${Path}" PARENT_SCOPE)
endfunction()

# Appends to Entries, joined by commas, those whose file is Path. CMake begins and
# ends each on a line of its own, which no text in JSON can hold.
function(find_entries Path)
  to_json(Path "${Path}")
  set(Found "")
  set(Rest "${Text}")
  while(TRUE)
    string(FIND "${Rest}" "\"file\": \"${Path}\"" At)
    if(At EQUAL -1)
      break()
    endif()
    string(SUBSTRING "${Rest}" 0 ${At} Before)
    string(FIND "${Before}" "\n{" Begin REVERSE)
    string(SUBSTRING "${Rest}" ${Begin} -1 Rest)
    string(FIND "${Rest}" "\n}" End)
    math(EXPR End "${End} + 2")
    string(SUBSTRING "${Rest}" 0 ${End} Entry)
    string(SUBSTRING "${Rest}" ${End} -1 Rest)
    string(FIND "${Entry}" "CMakeFiles/${TARGET}.dir/" Mine)
    if(NOT Mine EQUAL -1)
      if(Found)
        string(APPEND Found ",")
      endif()
      string(APPEND Found "${Entry}")
    endif()
  endwhile()
  set(Entries "${Found}" PARENT_SCOPE)
endfunction()

file(READ "${DATABASE}" Text)
find_entries("${SOURCE}")
if(NOT Entries)
  find_entries("${COPY}")
  to_json(From "${COPY}")
  to_json(To "${SOURCE}")
  string(REPLACE "${From}" "${To}" Entries "${Entries}")
endif()
if(NOT Entries)
  message(FATAL_ERROR
    "target '${TARGET}' does not compile '${SOURCE}': ${DATABASE} has no such command. Is the file one of the target's sources, and its language enabled?")
endif()

set(Entries "[${Entries}\n]\n")
set(Now "")
if(EXISTS "${RESULT}")
  file(READ "${RESULT}" Now)
endif()
if(NOT Now STREQUAL Entries)
  file(WRITE "${RESULT}" "${Entries}")
endif()
