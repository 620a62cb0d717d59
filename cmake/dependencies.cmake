# Third-party libraries, all of them packaged by Debian 12.
find_package(Threads REQUIRED)
find_package(pugixml REQUIRED)
