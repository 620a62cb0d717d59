// Which objects of the C interface are alive, in builds with assertions: one that is deleted twice, or that was never
// made, is an error there and not a fault in some later allocation. Builds without assertions know nothing and cost
// nothing.
#ifndef SINEW_CORE_LIVE_OBJECTS_H_
#define SINEW_CORE_LIVE_OBJECTS_H_

namespace sinew::inline core {

#ifdef NDEBUG
inline void AddLiveObject(const void*) {}
inline void RemoveLiveObject(const void*, const char*) {}
#else
void AddLiveObject(const void* object);

// Throws sinew::Error that names the argument when the object is not alive.
void RemoveLiveObject(const void* object, const char* argument);
#endif

}  // namespace sinew::inline core

#endif  // SINEW_CORE_LIVE_OBJECTS_H_
