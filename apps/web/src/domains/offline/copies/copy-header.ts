/** Header that the service worker adds to a cached response, with the time at which it was cached (ISO 8601). */
export const OFFLINE_COPY_HEADER = 'X-Offline-Copy'
