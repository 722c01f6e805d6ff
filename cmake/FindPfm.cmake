# libpfm4, which has no CMake package of its own: the target pfm::pfm.
find_path(PFM_INCLUDE_DIR perfmon/pfmlib_perf_event.h)
find_library(PFM_LIBRARY pfm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Pfm REQUIRED_VARS PFM_LIBRARY PFM_INCLUDE_DIR)
if(Pfm_FOUND AND NOT TARGET pfm::pfm)
  add_library(pfm::pfm UNKNOWN IMPORTED)
  set_target_properties(pfm::pfm PROPERTIES IMPORTED_LOCATION ${PFM_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${PFM_INCLUDE_DIR})
endif()
