/**
 * Host name that resolves to this machine. Browsers treat it as another machine, so its pages over HTTP lack the
 * features of secure contexts.
 */
export const LAN_HOST = 'lan.test'

/** Returns the URL of a local server as other machines of the local network see it. */
export const fromLan = (origin: string): string => origin.replace('127.0.0.1', LAN_HOST)
