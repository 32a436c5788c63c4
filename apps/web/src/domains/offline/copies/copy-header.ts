/** On a cached response from the service worker: when the server sent it. */
export const OFFLINE_COPY_HEADER = 'X-Offline-Copy'
