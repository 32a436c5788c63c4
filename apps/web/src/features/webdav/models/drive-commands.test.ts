import { expect, test } from 'vitest'
import { addressOf, isReadableOnTheWay, plainAddressOf } from './drive-address.ts'
import {
  curlCommands,
  cyberduckProtocol,
  davfsCommands,
  fileManagerAddresses,
  piecesOf,
  rcloneCommands,
  systemOf,
  windowsCommands,
} from './drive-commands.ts'

const origin = 'https://share.example.org'
const whole = { origin, path: '' }
const local = { origin, path: '/local' }
const odd = { origin, path: "/团队/it's #1 (new)" }
const connection = { folder: whole, sample: local, userName: 'dropleaf', password: 'PASSWORD' }

test('a URL contains no characters that a client or a shell would interpret differently', () => {
  expect(addressOf(whole)).toBe('https://share.example.org/dav/')
  expect(addressOf(local)).toBe('https://share.example.org/dav/local/')
  expect(addressOf(odd)).toBe('https://share.example.org/dav/%E5%9B%A2%E9%98%9F/it%27s%20%231%20%28new%29/')
  expect(new URL(addressOf(odd)).pathname.split('/').map(decodeURIComponent).join('/')).toBe(
    `/dav${odd.path}/`,
  )
  expect(plainAddressOf(odd)).toBe("https://share.example.org/dav/团队/it's #1 (new)/")
})

test('unencrypted connections to other machines count as insecure', () => {
  expect(isReadableOnTheWay('http://nas:8787')).toBe(true)
  expect(isReadableOnTheWay('http://192.168.1.5:8787')).toBe(true)
  expect(isReadableOnTheWay('http://127.evil.example')).toBe(true)
  expect(isReadableOnTheWay(origin)).toBe(false)
  for (const host of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'box.localhost'])
    expect([host, isReadableOnTheWay(`http://${host}`)]).toEqual([host, false])
})

test('commands name the folder, the user and the file manager’s scheme', () => {
  expect(windowsCommands(connection).map).toBe('net use Z: "https://share.example.org/dav/" /user:dropleaf *')
  expect(fileManagerAddresses(connection)).toEqual({
    gnome: 'davs://share.example.org/dav/',
    kde: 'webdavs://share.example.org/dav/',
  })
  expect(fileManagerAddresses({ ...connection, folder: { origin: 'http://nas', path: '' } })).toEqual({
    gnome: 'dav://nas/dav/',
    kde: 'webdav://nas/dav/',
  })
  expect(cyberduckProtocol(connection)).toBe('WebDAV (HTTPS)')
  expect(piecesOf(connection)).toEqual({
    host: 'share.example.org',
    port: '443',
    path: '/dav/',
    scheme: 'HTTPS',
  })
  expect(piecesOf({ ...connection, folder: { origin: 'http://nas:8787', path: '/团队' } })).toEqual({
    host: 'nas',
    port: '8787',
    path: '/dav/团队/',
    scheme: 'HTTP',
  })
})

test('names with special characters are quoted by the rules of each shell or file', () => {
  const user = { ...connection, folder: odd, sample: odd, userName: "Ann O'Hara" }
  expect(windowsCommands(user).map).toContain('/user:"Ann O\'Hara" *')
  expect(davfsCommands(user)).toMatchObject({
    mount: String.raw`sudo mount -t davfs -o uid=$(id -u),gid=$(id -g) 'https://share.example.org/dav/团队/it'\''s #1 (new)/' /mnt/dropleaf`,
    join: 'sudo dpkg-reconfigure davfs2\nsudo usermod -aG davfs2 "$USER"',
    secrets: String.raw`/mnt/dropleaf Ann\ O'Hara PASSWORD`,
    fstab: String.raw`https://share.example.org/dav/团队/it's\040\0431\040(new)/ /mnt/dropleaf davfs rw,noauto,user 0 0`,
  })
  expect(curlCommands(user).list).toContain(String.raw`-u 'Ann O'\''Hara' -X PROPFIND`)
})

test('a client of the whole drive is shown a mount to put files into', () => {
  expect(rcloneCommands(connection)).toMatchObject({
    up: 'rclone sync ./photos dropleaf:local/photos',
    down: 'rclone sync dropleaf:local/photos ./photos',
  })
  expect(rcloneCommands({ ...connection, folder: local }).up).toBe('rclone sync ./photos dropleaf:photos')
  expect(curlCommands(connection).up).toBe(
    'curl -u dropleaf -T report.pdf https://share.example.org/dav/local/',
  )
})

test('the operating system is detected from the user agent', () => {
  expect(systemOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('windows')
  expect(systemOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('macos')
  expect(systemOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('mobile')
  expect(systemOf('Mozilla/5.0 (Linux; Android 15)')).toBe('mobile')
  expect(systemOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('linux')
})
