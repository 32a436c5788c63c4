import type { Locale } from '../../zh-CN/index.ts'

export const webdav: Locale['webdav'] = {
  intro:
    'Use the mounts like a disk on your computer or phone, over WebDAV: open, save, and drag files in your own file manager.',
  readable:
    'This page is not encrypted (http). A network drive sends the password with each request, and anyone on the network can read it. Set up HTTPS for the server first.',
  copyOf: 'Copy {{what}}',
  copied: 'Copied: {{what}}',
  address: {
    title: 'Address',
    text: 'The full drive includes all mounts; you can also connect a single one.',
    whole: 'Full drive',
    of: 'the address of “{{name}}”',
    ofWhole: 'the address of the full drive',
  },
  signIn: {
    title: 'Username and password',
    userName: 'Username',
    password: 'Password',
    withKey: 'With an API key (recommended)',
    withKeyText:
      'A key can be limited to one folder, be read-only, and be revoked at any time. Create one key with mount permission for each device.',
    anyName: 'anything, for example {{name}}',
    theKey: 'the key itself',
    toKeys: 'Create a key',
    asAdmin: 'As the administrator',
    asAdminText: 'Can read and write all mounts. The password is stored on the device that connects.',
    adminName: 'the one you log in with here',
    adminPassword: 'the one you log in with here',
    yourKey: 'the key you are logged in with',
    key: 'the key',
    keyText: 'The drive shows what this key can see in the file explorer.',
    readOnly: 'This key is read-only: files can be opened and downloaded, but not changed.',
  },
  systems: {
    title: 'How to connect',
    folder: 'Connect to',
    userName: 'Username in the commands',
    passwordHere: 'PASSWORD',
    keyHere: 'YOUR-KEY',
    address: 'the address',
    windows: 'Windows',
    macos: 'macOS',
    linux: 'Linux',
    mobile: 'iOS and Android',
    rclone: 'rclone',
    cyberduck: 'Cyberduck',
    curl: 'curl',
  },
  windows: {
    open: 'In File Explorer, right-click “This PC” and choose “Map network drive…”.',
    enter:
      'Enter this address as the folder, check “Connect using different credentials”, click “Finish”, and enter the username and password.',
    orCommand: 'Or run this at a command prompt; it asks for the password:',
    map: 'the command that maps the drive',
    startText:
      'If the network name cannot be found, the WebClient service is not running. Run this at a command prompt opened as administrator:',
    start: 'the command that starts the service',
    basicText:
      'Windows sends no password to an http:// address unless BasicAuthLevel in the registry key {{key}} is 2 (the default is 1, for HTTPS only). Run as administrator:',
    basic: 'the command that allows http',
    limitText:
      'By default, Windows refuses files larger than 50 MB. FileSizeLimitInBytes in the same registry key sets the limit, up to 4 GB:',
    limit: 'the command that raises the limit',
    restartText: 'Changes to the registry take effect when the service restarts:',
    restart: 'the command that restarts the service',
  },
  macos: {
    open: 'In the Finder’s menu bar, choose “Go” > “Connect to Server…” (⌘K).',
    enter: 'Enter this address and click “Connect”.',
    signIn: 'Choose “Registered User”, and enter the username and password.',
    traces:
      'The Finder creates small files of its own next to yours (.DS_Store, and names that start with ._). This is normal.',
  },
  linux: {
    gnome: 'Files (GNOME): press Ctrl+L and enter',
    gnomeAddress: 'the address for Files',
    kde: 'Dolphin (KDE): press Ctrl+L and enter',
    kdeAddress: 'the address for Dolphin',
    davfs: 'As a folder, with davfs2 (Debian, Ubuntu). Install it:',
    install: 'the commands that install it',
    mountText: 'Mount it; this asks for the username and password:',
    mount: 'the command that mounts it',
    fstabText: 'To mount it permanently, add a line to /etc/fstab:',
    fstab: 'the line for /etc/fstab',
    secretsText: 'Put the username and password into ~/.davfs2/secrets (its mode must be 600):',
    secrets: 'the line for the secrets file',
    joinText:
      'By default, only root can mount it. To mount it yourself, answer yes when asked whether other users may mount, join the group davfs2, and log in again:',
    join: 'the commands that let you mount it',
    mountAgain: 'the command that mounts it again',
  },
  mobile: {
    app: 'Get an app that supports WebDAV, for example WebDAV Navigator (iOS and Android), Material Files, or Solid Explorer (Android).',
    enter: 'Add a WebDAV connection in the app, and enter this address, the username, and the password.',
    pieces:
      'If the app asks for them separately: protocol {{scheme}}, server {{host}}, port {{port}}, path {{path}}',
  },
  rclone: {
    createText: 'Create a connection named dropleaf. Replace “{{password}}” with your own.',
    create: 'the command that creates the connection',
    configText:
      'Or add these lines to the configuration file (“rclone config file” shows where it is), and set the password with “rclone config”. With vendor = owncloud, files keep their modification times.',
    config: 'the configuration',
    upText:
      'Upload a folder. sync deletes files in the target that the source does not have; copy deletes nothing.',
    up: 'the command that uploads',
    downText: 'In the other direction, to this computer:',
    down: 'the command that downloads',
  },
  cyberduck: {
    open: 'Choose “Bookmark” > “New Bookmark”.',
    enter:
      'Paste the address into the “Server” field and press Tab: the protocol changes to {{protocol}}, and the path is filled in.',
    signIn: 'Enter the username, connect, and enter the password.',
  },
  curl: {
    listText: 'List a folder; curl asks for the password:',
    list: 'the command that lists',
    upText: 'Upload a file:',
    up: 'the command that uploads',
    downText: 'Download a file:',
    down: 'the command that downloads',
  },
  empty: {
    title: 'Nothing to connect to yet',
    text: 'The network drive shows the mounts. Mount a storage at a path to see it here.',
    toMounts: 'Go to mounts',
    keyText:
      'This API key cannot see any mounts. Ask the administrator whether the mount is enabled, and what the base path of the key is.',
  },
}
