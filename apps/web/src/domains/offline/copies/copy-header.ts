/** On an answer that the service worker gave in the server's place: when the server gave it. */
export const OFFLINE_COPY_HEADER = 'X-Offline-Copy'
