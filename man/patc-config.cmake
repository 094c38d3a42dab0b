# patc-config.cmake - find_package(patc): the program patc::patc, and patc_add_library() of patc.cmake.
get_filename_component(_patc_share "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
if(NOT PATC)
  find_program(PATC patc HINTS "${_patc_share}/../bin" NO_DEFAULT_PATH)
  find_program(PATC patc REQUIRED)
endif()
include("${_patc_share}/patc/patc.cmake")
