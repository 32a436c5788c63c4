/**
 * Configuration files for programs that share with a key. Formats: ShareX "Custom uploader"
 * (getsharex.com/docs/custom-uploader), picgo-plugin-web-uploader (its README and source), uPic (`Host.deserialize` and
 * `CustomHostConfig` of its source); read 2026-11-23.
 */

const PROGRAMS = ['sharexFiles', 'sharexTexts', 'picgo', 'upic'] as const
export type Program = (typeof PROGRAMS)[number]

export interface ProfileKey {
  readonly name: string
  readonly key: string
  readonly text_permission: 0 | 1
  readonly file_permission: 0 | 1
}

export interface ProfileFile {
  readonly name: string
  readonly content: string
}

/** Version of ShareX's format. `{json:…}` requires at least 13.7.1. */
const SHAREX_VERSION = '15.0.0'

const authorizationOf = ({ key }: ProfileKey) => `ApiKey ${key}`

function sharexFiles(server: string, key: ProfileKey) {
  const { origin, host } = new URL(server)
  return {
    Version: SHAREX_VERSION,
    Name: `Dropleaf ${host}`,
    DestinationType: 'ImageUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${server}/api/upload`,
    Headers: { Authorization: authorizationOf(key) },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    // `data.url` is the full path of the page, including the server's base path.
    URL: `${origin}{json:data.url}`,
    ThumbnailURL: '{json:data.previewUrl}',
    ErrorMessage: '{json:message}',
  }
}

function sharexTexts(server: string, key: ProfileKey) {
  return {
    Version: SHAREX_VERSION,
    Name: `Dropleaf ${new URL(server).host} (text)`,
    DestinationType: 'TextUploader',
    RequestMethod: 'POST',
    RequestURL: `${server}/api/paste`,
    Headers: { Authorization: authorizationOf(key) },
    Body: 'JSON',
    Data: JSON.stringify({ content: '{input}', content_type: 'text/plain' }),
    URL: `${server}/paste/{json:slug}`,
    ErrorMessage: '{json:message}',
  }
}

/** Fragment for the configuration of PicGo. Uses the URL of the bytes, because other pages embed the images. */
function picgo(server: string, key: ProfileKey) {
  const plugin = 'web-uploader'
  return {
    picBed: {
      uploader: plugin,
      current: plugin,
      [plugin]: {
        url: `${server}/api/upload`,
        paramName: 'file',
        jsonPath: 'data.previewUrl',
        customHeader: JSON.stringify({ Authorization: authorizationOf(key) }),
        customBody: '',
      },
    },
    picgoPlugins: { [`picgo-plugin-${plugin}`]: true },
  }
}

/** The export format of uPic: a list of JSON strings with nested JSON strings. */
function upic(server: string, key: ProfileKey) {
  const { host } = new URL(server)
  const data = {
    url: `${server}/api/upload`,
    method: 'POST',
    field: 'file',
    bodys: '',
    headers: JSON.stringify([{ key: 'Authorization', value: authorizationOf(key) }]),
    resultPath: JSON.stringify(['data', 'previewUrl']),
    domain: '',
    saveKeyPath: '{filename}{.suffix}',
    suffix: '',
  }
  const id = `dropleaf-${host}`
  return [JSON.stringify({ id, name: `Dropleaf ${host}`, type: 'custom', data: JSON.stringify(data) })]
}

const PROFILES: Readonly<
  Record<
    Program,
    {
      readonly right: 'text' | 'file'
      readonly name: string
      readonly make: typeof sharexFiles | typeof sharexTexts | typeof picgo | typeof upic
    }
  >
> = {
  sharexFiles: { right: 'file', name: 'sxcu', make: sharexFiles },
  sharexTexts: { right: 'text', name: 'text.sxcu', make: sharexTexts },
  picgo: { right: 'file', name: 'picgo.json', make: picgo },
  upic: { right: 'file', name: 'upic.json', make: upic },
}

/** Programs for which the key has sufficient rights. */
export const programsFor = (key: ProfileKey): readonly Program[] =>
  PROGRAMS.filter((program) => key[`${PROFILES[program].right}_permission`] === 1)

/** @param server public URL without a trailing slash. */
export function profileOf(
  program: Program,
  { server, key }: { server: string; key: ProfileKey },
): ProfileFile {
  const { name, make } = PROFILES[program]
  const stem = new URL(server).host.replaceAll(/[^\w.-]+/g, '-')
  return { name: `dropleaf-${stem}.${name}`, content: `${JSON.stringify(make(server, key), null, 2)}\n` }
}
