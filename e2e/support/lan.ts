/**
 * Resolves to this machine, but browsers treat it as another one, so over HTTP its pages lack the features of secure
 * contexts.
 */
export const LAN_HOST = 'lan.test'

/** Returns the address of a local server as seen from the local network. */
export const fromLan = (origin: string): string => origin.replace('127.0.0.1', LAN_HOST)
