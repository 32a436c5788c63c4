export const en = {
  usage: `Usage: dropleaf [serve]                  serve on PORT (8787), with all data in DATA_DIR (./data)

Sharing through a remote server:
       dropleaf login                    ask for its address and an API key, and store them
       dropleaf logout                   delete them
       dropleaf text [FILE|-]            share a text; prints its link
       dropleaf file FILE...             share files; the same command resumes a large one
       dropleaf list                     list the shares of the key
       dropleaf get LINK|NAME            read a text, fetch a file; the same command resumes it
       dropleaf delete LINK|NAME...      delete shares

  --server ADDRESS    server; default: DROPLEAF_SERVER, then the login
  --key KEY           API key; DROPLEAF_KEY or the login is safer: other users can read a command line
  --expires TIME      12h, 7d, 4w, or never           (text, file)
  --views N           view limit                      (text, file)
  --password WORD     password; DROPLEAF_PASSWORD or --ask-password is safer  (text, file, get)
  --ask-password      ask for it in the terminal      (text, file, get)
  --opening HOW       ask or direct; ask is the default with --views and --pin, so that link
                      previews do not use a share up  (text, file)
  --pin DIGITS        4 to 8 digits, also DROPLEAF_PIN (text, file, get)
  --link NAME         link suffix                     (text, file)
  --remark TEXT       a note                          (text, file)
  --plain             not Markdown                    (text)
  --name NAME         another name for the file       (file)
  --folder FOLDER     folder in the storage           (file)
  --whole             never in parts                  (file)
  -o, --output FILE   target, - for standard output   (get)
  --force             replace an existing file        (get)
  --limit N           number of entries, default 50   (list)
  --json              print JSON

Running a server:
       dropleaf backup [FOLDER]          back up all its data
       dropleaf restore FOLDER [--force] [--same-server]
       dropleaf rotate-secret            encrypt all secrets with a new key
       dropleaf reset-password [-]       set a new administrator password: ADMIN_PASSWORD,
                                         standard input (-), or a random one that it prints
       dropleaf import-cloudpaste FILE [--dry-run] [--all]
       dropleaf --version | help`,
  'usage.command': 'There is no command {name}. See: dropleaf help',
  'usage.early_option':
    'There is no option {name} before a command. Environment variables configure a server, as in: PORT=80 dropleaf. See: dropleaf help',
  'usage.option': 'There is no option {name} here. See: dropleaf help',
  'usage.options': 'The options cannot be read: {detail}',
  'usage.words': '{command} does not accept {word}.',
  'usage.files': 'Name the files to share.',
  'usage.one_file': '--link and --name are for one file.',
  'usage.stdin_name': 'Standard input needs a --name.',
  'usage.one_text': 'One text at a time.',
  'usage.share': 'Name the share by its link, or by the suffix of the link.',
  'usage.expires': '--expires accepts 12h, 7d, 4w or never, not {value}.',
  'usage.opening': '--opening accepts ask or direct, not {value}.',
  'usage.pin': 'A PIN has 4 to 8 digits.',
  'usage.number': '{name} accepts a whole number of at least 1, not {value}.',
  'usage.server': '{value} is not the address of a server. It begins with http:// or https://.',
  'usage.no_server': 'No server is set. Run: dropleaf login (or set DROPLEAF_SERVER).',
  'usage.no_key': 'A key is required. Run: dropleaf login (or set DROPLEAF_KEY).',
  'usage.no_terminal': 'There is no terminal to ask in.',
  'usage.other_server': '{link} belongs to another server than {server}.',
  'usage.two_shares': 'A text and a file are both called {name}. Name the one you mean by its whole link.',
  'config.open': 'Others may read {file}, which has your key. Run: chmod 600 {file}',
  'config.broken': '{file} cannot be read. Run: dropleaf login',
  'config.unusable':
    '{file} cannot be changed: {detail}. Check its permissions, or choose another folder with XDG_CONFIG_HOME (APPDATA on Windows).',
  'file.missing': 'There is no file {file}.',
  'file.folder': '{file} is a folder. Pack it first, or share its files.',
  'file.not_regular':
    '{file} is no regular file. To share the output of a pipe: dropleaf file - --name NAME < {file}',
  'file.unreadable': '{file} cannot be read: {detail}',
  'file.changed': '{file} was changed while it was sent. Run the same command again.',
  'file.exists': '{file} already exists. --force replaces it, -o names another.',
  'file.special':
    '{file} exists and is no regular file, so it is not replaced. -o names another, -o - is standard output.',
  'file.name_too_long': '{file} cannot be written: the name is too long. Choose another with -o.',
  'file.unwritable': '{file} cannot be written: {detail}',
  'file.disk_full': '{file} cannot be written: the disk is full.',
  'file.no_folder': '{file} cannot be written: there is no folder {folder}.',
  'file.not_permitted': '{file} cannot be written: permission denied.',
  'file.read_only': '{file} cannot be written: its disk is read-only.',
  'state.no_folder':
    'How far it has come cannot be kept in {folder}: {blocker} is no folder. Move it away, or name another place by XDG_STATE_HOME.',
  'state.no_file':
    'How far it has come cannot be kept in {folder}: {file} is there and is no regular file. Move it away, or name another place by XDG_STATE_HOME.',
  'state.not_permitted':
    'How far it has come cannot be kept in {folder}: you may not write there. Get the right to, or name another place by XDG_STATE_HOME.',
  'state.read_only':
    'How far it has come cannot be kept in {folder}: its disk is read-only. Name another place by XDG_STATE_HOME.',
  'state.disk_full':
    'How far it has come cannot be kept in {folder}: the disk is full. Make room, or name another place by XDG_STATE_HOME.',
  'state.unusable':
    'How far it has come cannot be kept in {folder}: {detail}. Another place is named by XDG_STATE_HOME.',
  'text.empty': 'There is no text to share.',
  'text.not_utf8': 'This is not text in UTF-8. Share it as a file.',
  'net.unreachable': '{host} cannot be reached: {detail}.',
  'net.forbidden_port':
    '{host} cannot be reached: this port is blocked for web requests. Is it the right one?',
  'net.no_tls': '{host} does not use https at this port. If the port is right, try http://{host}.',
  'net.silent': '{host} is silent: no data was sent or received for {seconds} seconds.',
  'net.timeout': '{host} cannot be reached: a part of the file was not sent in time.',
  'net.storage':
    'The storage at {host} cannot be reached from here: {detail}. With --whole everything goes through the server.',
  'net.broken_upload':
    'The upload of {file} was interrupted: {detail} The same command again goes on with it.',
  'net.broken_download': 'The download was interrupted at {done} of {total}. The same command again goes on.',
  'net.bad_answer': '{host} does not respond like a Dropleaf server (HTTP {status}).',
  'net.storage_refused': 'The storage has refused a part (HTTP {status}).',
  'get.password': 'The share has a password. Use --ask-password or DROPLEAF_PASSWORD.',
  'get.pin': 'The share has a PIN. Use --pin or DROPLEAF_PIN.',
  'get.busy': '{file} is being fetched already, by the process {pid}. Wait for it, or stop it.',
  'get.busy_just_now': '{file} is being fetched already, as of just now. Try again in a few seconds.',
  'get.wrong_size': 'Only {done} of {total} were received.',
  'share.not_found': 'There is no share {name}.',
  'ask.server': 'Address of the server: ',
  'ask.key': 'API key (not shown): ',
  'ask.password': 'Password (not shown): ',
  'ask.pin': 'PIN (not shown): ',
  'login.done': 'Stored in {file}. The key is “{name}”.',
  'logout.done': 'The login was deleted.',
  'delete.done': 'Deleted: {name}',
  'list.empty': 'There are no shares.',
  'upload.resumed': '{file}: going on at {done} of {total}',
} as const
