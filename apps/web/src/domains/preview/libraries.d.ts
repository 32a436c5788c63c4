/** Library builds without type declarations. Their types are those of the full library. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

declare module 'exifr/dist/full.esm.mjs' {
  export { parse } from 'exifr'
}
