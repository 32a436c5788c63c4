import type { Locale } from '../../zh-CN/index.ts'

export const webdav: Locale['webdav'] = {
  intro:
    'Use the mounts like a disk of your computer or phone, over WebDAV: open, save and drag in your own file manager.',
  readable:
    'This page is not encrypted (http). A network drive sends the password with each request, and anyone on the way can read it. Set up HTTPS for the server first.',
  copyOf: 'Copy {{what}}',
  copied: 'Copied: {{what}}',
  address: {
    title: 'Address',
    text: 'The whole drive holds every mount; you can also connect just one of them.',
    whole: 'Whole drive',
    of: 'the address of “{{name}}”',
    ofWhole: 'the address of the whole drive',
  },
  signIn: {
    title: 'User name and password',
    userName: 'User name',
    password: 'Password',
    withKey: 'With an API key (recommended)',
    withKeyText:
      'Opens only the folder that is needed, is read-only, and can be revoked at any time. Make one key with the mount permission for each device.',
    anyName: 'anything, for example {{name}}',
    theKey: 'the key itself',
    toKeys: 'Create a key',
    asAdmin: 'As the administrator',
    asAdminText: 'Reads and writes every mount. The password will be kept on the device that connects.',
    adminName: 'the one you log in with here',
    adminPassword: 'the one you log in with here',
    yourKey: 'the key you are logged in with',
    key: 'the key',
    keyText: 'The drive shows what this key can see in the file explorer.',
    readOnly: 'This key may only read: files can be opened and downloaded, but not changed.',
  },
  systems: {
    title: 'How to connect',
    folder: 'Connect to',
    userName: 'User name in the commands',
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
      'Enter this address as the folder, tick “Connect using different credentials”, press “Finish”, and enter the user name and the password.',
    orCommand: 'Or run this at a command prompt; it asks for the password:',
    map: 'the command that maps the drive',
    startText:
      'If the network name cannot be found, the WebClient service is not running. Run this at a command prompt opened as administrator:',
    start: 'the command that starts the service',
    basicText:
      'To an address with http:// Windows sends no password unless BasicAuthLevel in the registry key {{key}} is 2 (it is 1, for HTTPS only). Run as administrator:',
    basic: 'the command that allows http',
    limitText:
      'Windows refuses files above 50 MB at first. FileSizeLimitInBytes in the same registry key sets the limit, at most 4 GB:',
    limit: 'the command that raises the limit',
    restartText: 'Changes to the registry take effect when the service starts again:',
    restart: 'the command that restarts the service',
  },
  macos: {
    open: 'In the Finder’s menu bar choose “Go” > “Connect to Server…” (⌘K).',
    enter: 'Enter this address and press “Connect”.',
    signIn: 'Choose “Registered User”, and enter the user name and the password.',
    traces:
      'The Finder leaves small files of its own beside yours (.DS_Store, and names that begin with ._). This is normal.',
  },
  linux: {
    gnome: 'Files (GNOME): press Ctrl+L and enter',
    gnomeAddress: 'the address for Files',
    kde: 'Dolphin (KDE): press Ctrl+L and enter',
    kdeAddress: 'the address for Dolphin',
    davfs: 'As a folder, with davfs2 (Debian, Ubuntu). Install it:',
    install: 'the commands that install it',
    mountText: 'Mount it; this asks for the user name and the password:',
    mount: 'the command that mounts it',
    fstabText: 'To keep it, add a line to /etc/fstab:',
    fstab: 'the line for fstab',
    secretsText: 'Put the user name and the password into ~/.davfs2/secrets (its mode must be 600):',
    secrets: 'the line for secrets',
    joinText:
      'As installed, only root may mount. To mount it yourself, answer yes to the question whether others may, join the group davfs2, and log in again:',
    join: 'the commands that let you mount it',
    mountAgain: 'the command that mounts it again',
  },
  mobile: {
    app: 'Get an app that speaks WebDAV, for example WebDAV Navigator (iOS and Android), Material Files or Solid Explorer (Android).',
    enter: 'Add a WebDAV connection in the app, and enter this address, the user name and the password.',
    pieces:
      'If it asks for them one by one: protocol {{scheme}}, server {{host}}, port {{port}}, path {{path}}',
  },
  rclone: {
    createText: 'Make a connection named dropleaf; put your own in the place of “{{password}}”.',
    create: 'the command that makes the connection',
    configText:
      'Or put these lines into the configuration file (rclone config file says where it is), and set the password with rclone config. With vendor = owncloud files keep their times.',
    config: 'the configuration',
    upText:
      'Upload a folder. sync deletes in the target what the source does not have; copy deletes nothing.',
    up: 'the command that uploads',
    downText: 'The other way, to this computer:',
    down: 'the command that downloads',
  },
  cyberduck: {
    open: 'Choose “Bookmark” > “New Bookmark”.',
    enter:
      'Paste the address into the field “Server” and press Tab: the protocol becomes {{protocol}}, and the path fills in.',
    signIn: 'Enter the user name, connect, and enter the password.',
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
    text: 'The network drive shows the mounts. Mount a storage at a path, and it appears here.',
    toMounts: 'Go to mounts',
    keyText:
      'This API key cannot see any mount. Ask the administrator whether the mount is enabled, and about the base path of the key.',
  },
}
