/** Header that the service worker adds to a cached response, with the time at which the server sent it. */
export const OFFLINE_COPY_HEADER = 'X-Offline-Copy'
