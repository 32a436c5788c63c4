export const en = {
  usage: `Usage: dropleaf [serve]                  serve, on PORT (8787), with all data in DATA_DIR (./data)

Sharing, with a server that runs somewhere:
       dropleaf login                    ask for its address and an API key, and keep them
       dropleaf logout                   forget them
       dropleaf text [FILE|-]            share a text; prints its link
       dropleaf file FILE...             share files; the same command resumes a large one
       dropleaf list                     what the key has shared
       dropleaf get LINK|NAME            read a text, fetch a file; the same command resumes it
       dropleaf delete LINK|NAME...      delete shares

  --server ADDRESS    of the server, else DROPLEAF_SERVER, else that of the login
  --key KEY           better DROPLEAF_KEY, or the login: what stands on a command line, others can read
  --expires TIME      12h, 7d, 4w, or never           (text, file)
  --views N           after so many views it is gone  (text, file)
  --password WORD     needed to open it; better DROPLEAF_PASSWORD or --ask-password  (text, file, get)
  --ask-password      ask for it in the terminal      (text, file, get)
  --link NAME         the end of the link             (text, file)
  --remark TEXT       a note                          (text, file)
  --plain             not Markdown                    (text)
  --name NAME         another name for the file       (file)
  --folder FOLDER     where it is stored              (file)
  --whole             never in parts                  (file)
  -o, --output FILE   where it goes, - for standard output  (get)
  --force             replace a file that is there    (get)
  --limit N           how many, 50 at first           (list)
  --json              answer as JSON

Running a server:
       dropleaf backup [FOLDER]          save all its data
       dropleaf restore FOLDER [--force] [--same-server]
       dropleaf rotate-secret            seal all secrets anew
       dropleaf reset-password [-]       give the administrator a new password: ADMIN_PASSWORD,
                                         that of the input (-), or a random one that it prints
       dropleaf import-cloudpaste FILE [--dry-run] [--all]
       dropleaf --version | help`,
  'usage.command': 'There is no command {name}. See: dropleaf help',
  'usage.early_option':
    'There is no option {name} before a command. A server is set up by variables, as in: PORT=80 dropleaf. See: dropleaf help',
  'usage.option': 'There is no option {name} here. See: dropleaf help',
  'usage.options': 'The options cannot be read: {detail}',
  'usage.words': '{command} takes no {word}.',
  'usage.files': 'Name the files to share.',
  'usage.one_file': '--link and --name are for one file.',
  'usage.stdin_name': 'What comes from standard input needs a --name.',
  'usage.one_text': 'One text at a time.',
  'usage.share': 'Name the share by its link, or by the end of it.',
  'usage.expires': '--expires takes 12h, 7d, 4w or never, not {value}.',
  'usage.number': '{name} takes a whole number from 1 on, not {value}.',
  'usage.server': '{value} is not the address of a server. It begins with http:// or https://.',
  'usage.no_server': 'Which server? Say so by: dropleaf login (or DROPLEAF_SERVER).',
  'usage.no_key': 'A key is needed. Say so by: dropleaf login (or DROPLEAF_KEY).',
  'usage.no_terminal': 'There is no terminal to ask in.',
  'usage.other_server': '{link} is a link of another server than {server}.',
  'usage.two_shares': 'A text and a file are both called {name}. Name the one you mean by its whole link.',
  'config.open': 'Others may read {file}, which has your key. Run: chmod 600 {file}',
  'config.broken': '{file} cannot be read. Run: dropleaf login',
  'config.unusable':
    '{file} cannot be changed: {detail}. See that you may write there, or name another place by XDG_CONFIG_HOME (APPDATA on Windows).',
  'file.missing': 'There is no file {file}.',
  'file.folder': '{file} is a folder. Pack it first, or share its files.',
  'file.not_regular':
    '{file} is no regular file. What a pipe brings is shared by: dropleaf file - --name NAME < {file}',
  'file.unreadable': '{file} cannot be read: {detail}',
  'file.changed': '{file} was changed while it was sent. Run the same command again.',
  'file.exists': '{file} is there already. --force replaces it, -o names another.',
  'file.special':
    '{file} is there and is no regular file, so it is not replaced. -o names another, -o - is standard output.',
  'file.name_too_long': '{file} cannot be written: the name is too long. -o gives another.',
  'file.unwritable': '{file} cannot be written: {detail}',
  'file.disk_full': '{file} cannot be written: the disk is full.',
  'file.no_folder': '{file} cannot be written: there is no folder {folder}.',
  'file.not_permitted': '{file} cannot be written: you may not write there.',
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
    '{host} cannot be reached: this port is kept for something else than the web. Is it the right one?',
  'net.no_tls': '{host} does not speak https at this port. If it is right, try http://{host}.',
  'net.silent': '{host} is silent: nothing has come or gone for {seconds} seconds.',
  'net.timeout': '{host} cannot be reached: a part of the file has not come through in time.',
  'net.storage':
    'The storage at {host} cannot be reached from here: {detail}. With --whole everything goes through the server.',
  'net.broken_upload':
    'The upload of {file} was interrupted: {detail} The same command again goes on with it.',
  'net.broken_download': 'The download was interrupted at {done} of {total}. The same command again goes on.',
  'net.bad_answer': '{host} does not answer like a Dropleaf server (HTTP {status}).',
  'net.storage_refused': 'The storage has refused a part (HTTP {status}).',
  'get.password': 'It has a password. Give it by --ask-password or DROPLEAF_PASSWORD.',
  'get.busy': '{file} is being fetched already, by the process {pid}. Wait for it, or end it.',
  'get.busy_just_now': '{file} is being fetched already, as of just now. Try again in a few seconds.',
  'get.wrong_size': 'Of {total} only {done} have come.',
  'share.not_found': 'There is no share {name}.',
  'ask.server': 'Address of the server: ',
  'ask.key': 'API key (not shown): ',
  'ask.password': 'Password (not shown): ',
  'login.done': 'Kept in {file}. The key is “{name}”.',
  'logout.done': 'Forgotten.',
  'delete.done': 'Deleted: {name}',
  'list.empty': 'Nothing is shared.',
  'upload.resumed': '{file}: going on at {done} of {total}',
} as const
