import { addressOf, type DriveFolder, isSecure, plainAddressOf } from './drive-address.ts'

/** Values to insert into the commands. */
export interface Connection {
  readonly folder: DriveFolder
  /** A mount, used in examples, because the root of the drive is not writable. */
  readonly sample: DriveFolder
  readonly userName: string
  /** Placeholder for the password. */
  readonly password: string
}

/**
 * Registry key of the WebDAV client in Windows. Source: "WebDAV Redirector Registry Settings", blogs.iis.net, read
 * 2026-11-22.
 */
export const WEB_CLIENT_KEY = String.raw`HKLM\SYSTEM\CurrentControlSet\Services\WebClient\Parameters`
/**
 * Largest value of the file size limit: one byte less than 4 GiB. Source: Nextcloud user manual, access_webdav.rst,
 * read 2026-11-22.
 */
const LARGEST_LIMIT_BYTES = 4_294_967_295

const inShell = (word: string): string =>
  /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/**
 * Escapes a word for the secrets file of davfs2. Source: davfs2.conf(5) and the header of /etc/davfs2/secrets of davfs2
 * 1.6.1.
 */
const inSecrets = (word: string): string => word.replace(/[\s#"\\]/g, String.raw`\$&`)

/** Escapes a word for fstab, where `#` starts a comment. Source: fstab(5), on spaces. */
const inFstab = (word: string): string =>
  word.replace(/[\s#\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)

const withScheme = (address: string, scheme: string): string => address.replace(/^http/, scheme)

const MOUNT_POINT = '/mnt/dropleaf'

export const windowsCommands = ({ folder, userName }: Connection) => ({
  map: `net use Z: "${plainAddressOf(folder)}" /user:${/\s/.test(userName) ? `"${userName}"` : userName} *`,
  start: 'net start WebClient',
  basic: `reg add ${WEB_CLIENT_KEY} /v BasicAuthLevel /t REG_DWORD /d 2 /f`,
  limit: `reg add ${WEB_CLIENT_KEY} /v FileSizeLimitInBytes /t REG_DWORD /d ${LARGEST_LIMIT_BYTES} /f`,
  restart: 'net stop WebClient && net start WebClient',
})

/** URLs for Linux file managers. `davs` (GNOME) and `webdavs` (KDE) mean WebDAV over HTTPS. */
export const fileManagerAddresses = ({ folder }: Connection) => ({
  gnome: withScheme(addressOf(folder), 'dav'),
  kde: withScheme(addressOf(folder), 'webdav'),
})

/** Commands for davfs2, which encodes paths itself. Source: mount.davfs(8) of davfs2 1.6.1. */
export const davfsCommands = ({ folder, userName, password }: Connection) => ({
  install: `sudo apt install davfs2\nsudo mkdir -p ${MOUNT_POINT}`,
  mount: `sudo mount -t davfs -o uid=$(id -u),gid=$(id -g) ${inShell(plainAddressOf(folder))} ${MOUNT_POINT}`,
  join: 'sudo dpkg-reconfigure davfs2\nsudo usermod -aG davfs2 "$USER"',
  mountAgain: `mount ${MOUNT_POINT}`,
  secrets: `${MOUNT_POINT} ${inSecrets(userName)} ${inSecrets(password)}`,
  fstab: `${inFstab(plainAddressOf(folder))} ${MOUNT_POINT} davfs rw,noauto,user 0 0`,
})

/** Returns the rclone path of a folder `photos` in the sample folder, relative to the configured folder. */
function rclonePath({ folder, sample }: Connection): string {
  const below = sample.path.slice(folder.path.length).replace(/^\//, '')
  return inShell(`dropleaf:${below === '' ? 'photos' : `${below}/photos`}`)
}

/**
 * Commands for rclone. With the vendor `owncloud`, rclone sends modification times. Source: rclone.org/webdav, read
 * 2026-11-22.
 */
export function rcloneCommands(connection: Connection) {
  const { folder, userName, password } = connection
  const address = addressOf(folder)
  const remote = rclonePath(connection)
  return {
    create: `rclone config create dropleaf webdav url=${address} vendor=owncloud user=${inShell(userName)} pass=${inShell(password)} --obscure`,
    config: [
      '[dropleaf]',
      'type = webdav',
      `url = ${address}`,
      'vendor = owncloud',
      `user = ${userName}`,
    ].join('\n'),
    up: `rclone sync ./photos ${remote}`,
    down: `rclone sync ${remote} ./photos`,
  }
}

export function curlCommands({ sample, userName }: Connection) {
  const user = inShell(userName)
  const address = addressOf(sample)
  return {
    list: `curl -u ${user} -X PROPFIND -H "Depth: 1" ${address}`,
    up: `curl -u ${user} -T report.pdf ${address}`,
    down: `curl -u ${user} -O ${address}report.pdf`,
  }
}

export const cyberduckProtocol = ({ folder }: Connection): string =>
  isSecure(folder.origin) ? 'WebDAV (HTTPS)' : 'WebDAV (HTTP)'

/** Returns the parts of the URL, which some apps ask for separately. */
export function piecesOf({ folder }: Connection) {
  const { hostname, port, pathname, protocol } = new URL(addressOf(folder))
  return {
    host: hostname,
    port: port || (protocol === 'https:' ? '443' : '80'),
    path: decodeURIComponent(pathname),
    scheme: protocol.slice(0, -1).toUpperCase(),
  }
}

export const SYSTEMS = ['windows', 'macos', 'linux', 'mobile', 'rclone', 'cyberduck', 'curl'] as const
export type System = (typeof SYSTEMS)[number]

/** Detects the operating system by the browser's user agent. */
export function systemOf(userAgent: string): System {
  if (/Android|iPhone|iPad/.test(userAgent)) return 'mobile'
  if (userAgent.includes('Windows')) return 'windows'
  if (/Macintosh|Mac OS X/.test(userAgent)) return 'macos'
  return 'linux'
}
