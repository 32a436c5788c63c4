export const en = {
  usage: `Usage: dropleaf [serve]                  serve on PORT (8787), with all data in DATA_DIR (./data)

Sharing through a remote server:
       dropleaf login                    ask for the address and an API key, and store them
       dropleaf logout                   delete the stored address and key
       dropleaf text [FILE|-]            share text and print its link
       dropleaf file FILE...             share files; run it again to resume a large upload
       dropleaf share PATH...            share files and folders, and a text, under one link
       dropleaf list                     list the shares of the API key
       dropleaf get LINK|NAME            read a text, download a file or a bundle; run it again to
                                         resume
       dropleaf open FILE [KEY]          open an encrypted copy, without a server
       dropleaf delete LINK|NAME...      delete shares

  --server ADDRESS    server; default: DROPLEAF_SERVER, then the login
  --key KEY           API key; DROPLEAF_KEY or a login is safer, as others can see command lines
  --expires TIME      12h, 7d, 4w, or never           (text, file, share)
  --views N           view limit                      (text, file, share)
  --seal              encrypt end-to-end: only the whole link with the key after # opens the share
                                                      (text, file, share)
  --password WORD     password; DROPLEAF_PASSWORD or --ask-password is safer
                                                      (text, file, share, get, open)
  --ask-password      ask for it in the terminal      (text, file, share, get, open)
  --opening HOW       ask or direct; ask is the default with --views and --pin, so that link
                      previews do not use a share up  (text, file, share)
  --pin DIGITS        4 to 8 digits, also DROPLEAF_PIN (text, file, share, get)
  --link NAME         custom link                     (text, file, share)
  --remark TEXT       title; for a bundle a note that only you see  (text, file, share)
  --title TEXT        title of the bundle             (share)
  --page FILE         text of the bundle, - for standard input; without it the first argument,
                      if it is the only Markdown file (share)
  --no-page           share that file as a file       (share)
  --plain             plain text, not Markdown        (text, share)
  --name NAME         another name for the file       (file)
  --folder FOLDER     folder in the storage           (file, share)
  --whole             upload each file in one request; with --seal through the server (file, share)
  -o, --output FILE   target, - for standard output   (get, open)
  --only PATH         one file or folder of a bundle  (get, open)
  --force             replace existing files          (get, open)
  --encrypted         save an encrypted bundle as it is, for dropleaf open  (get)
  --manifest FILE     manifest of the copy, if it is elsewhere  (open)
  --limit N           number of entries, default 50   (list)
  --json              print JSON

The key of an encrypted share can also be in DROPLEAF_SHARE_KEY, because shells store command lines.

Running a server:
       dropleaf backup [FOLDER]          back up all data
       dropleaf restore FOLDER [--force] [--same-server]
       dropleaf rotate-secret            encrypt all secrets with a new key
       dropleaf reset-password [-]       set a new administrator password: ADMIN_PASSWORD,
                                         standard input (-), or a random one that it prints
       dropleaf import-cloudpaste FILE [--dry-run] [--all]
       dropleaf --version | help`,
  'usage.command': 'There is no command {name}. See: dropleaf help',
  'usage.early_option':
    'There is no option {name} before a command. A server is configured by environment variables, as in: PORT=80 dropleaf. See: dropleaf help',
  'usage.option': 'There is no option {name} here. See: dropleaf help',
  'usage.options': 'The options cannot be read: {detail}',
  'usage.words': '{command} does not accept the argument {word}.',
  'usage.files': 'Enter the files to share.',
  'usage.one_file': '--link and --name can only be used with a single file.',
  'usage.stdin_name': 'Standard input requires --name.',
  'usage.stdin_seal':
    'Standard input cannot be encrypted, because its size is not known. Save it as a file first, or use: dropleaf text --seal',
  'usage.encrypted': '--encrypted is only for end-to-end encrypted bundles.',
  'usage.encrypted_whole': '--encrypted saves the whole bundle in one file, without --only and -o -.',
  'usage.open': 'Enter the file or folder of one encrypted copy.',
  'usage.paths': 'Enter the files and folders to share.',
  'usage.page': '--page and --no-page cannot be used together.',
  'usage.share_stdin': 'Standard input can only be the text of the page: --page -',
  'usage.only': '--only accepts the path of a file or folder in a bundle.',
  'usage.only_stdout':
    'Only one file of a bundle can be written to standard output: --only PATH -o -. Otherwise use -o to choose a folder.',
  'usage.one_text': 'Only one text can be shared at a time.',
  'usage.share': 'Enter the link of a share, or the last part of the link.',
  'usage.expires': '--expires accepts 12h, 7d, 4w or never, not {value}.',
  'usage.opening': '--opening accepts ask or direct, not {value}.',
  'usage.pin': 'A PIN has 4 to 8 digits.',
  'usage.number': '{name} accepts a whole number of at least 1, not {value}.',
  'usage.server': '{value} is not the address of a server. It must start with http:// or https://.',
  'usage.no_server': 'No server is set. Run: dropleaf login (or set DROPLEAF_SERVER).',
  'usage.no_key': 'An API key is required. Run: dropleaf login (or set DROPLEAF_KEY).',
  'usage.no_terminal': 'The password cannot be asked for because there is no terminal.',
  'usage.other_server': '{link} does not belong to the server {server}.',
  'usage.two_shares': 'There are several shares called {name}. Use the full link.',
  'config.open': 'Other users can read {file}, which contains your API key. Run: chmod 600 {file}',
  'config.broken': '{file} cannot be read. Run: dropleaf login',
  'config.unusable':
    '{file} cannot be changed: {detail}. Check its permissions, or choose another folder with XDG_CONFIG_HOME (APPDATA on Windows).',
  'file.missing': 'There is no file {file}.',
  'file.folder': '{file} is a folder. Compress it first, or share its files.',
  'file.not_regular':
    '{file} is not a regular file. To share the output of a pipe: dropleaf file - --name NAME < {file}',
  'file.unreadable': '{file} cannot be read: {detail}',
  'file.changed': '{file} was changed while it was being sent. Run the same command again.',
  'file.exists': '{file} already exists. Use --force to replace it, or -o to choose another file.',
  'file.special':
    '{file} exists and is not a regular file, so it is not replaced. Use -o to choose another file, or -o - for standard output.',
  'file.name_too_long': '{file} cannot be written: the name is too long. Choose another one with -o.',
  'file.unwritable': '{file} cannot be written: {detail}',
  'file.disk_full': '{file} cannot be written: the disk is full.',
  'file.no_folder': '{file} cannot be written: there is no folder {folder}.',
  'file.not_permitted': '{file} cannot be written: permission denied.',
  'file.read_only': '{file} cannot be written: its disk is read-only.',
  'share.link':
    '{file} is a symbolic link, and links are not followed. Share the file or folder to which it leads.',
  'share.link_left_out': 'Left out, because symbolic links are not followed: {file}',
  'share.folder_left_out': 'Left out, because empty folders cannot be shared: {file}',
  'share.special':
    '{file} is neither a file nor a folder. Move it out of the folder, or share the other files by name.',
  'share.name_encoding': 'The name of {file} is not UTF-8. Rename it.',
  'share.too_many': 'A bundle has at most {count} files. Pack some of them into an archive.',
  'share.too_long': 'The page and the paths are too long for one bundle. Share the text as a file: --no-page',
  'share.empty': 'There is nothing to share: the folders contain no files.',
  'share.unusable': 'Nothing was sent. Names to change first: {count}.',
  'share.path_length': '{file}: the path is too long. Shorten the names of its folders.',
  'share.path_name': '{file}: this name cannot be used, or is longer than 255 bytes. Rename it.',
  'share.path_characters':
    '{file}: the name contains a backslash, or a control or direction character. Rename it.',
  'share.path_duplicate':
    '{file}: another path is the same, or differs only in case. Rename one of the two, or share them separately.',
  'share.path_below_item':
    '{file}: the name of its folder is also that of a file, perhaps in another case. Rename one of the two.',
  'share.item': '{file}: {detail}',
  'share.busy': 'Another process is sharing the same files. Wait for it, or stop it.',
  'state.no_folder':
    'The progress cannot be saved in {folder}: {blocker} is not a folder. Move it away, or set XDG_STATE_HOME to another folder.',
  'state.no_file':
    'The progress cannot be saved in {folder}: {file} exists and is not a regular file. Move it away, or set XDG_STATE_HOME to another folder.',
  'state.not_permitted':
    'The progress cannot be saved in {folder}: permission denied. Change its permissions, or set XDG_STATE_HOME to another folder.',
  'state.read_only':
    'The progress cannot be saved in {folder}: its disk is read-only. Set XDG_STATE_HOME to another folder.',
  'state.disk_full':
    'The progress cannot be saved in {folder}: the disk is full. Free up space, or set XDG_STATE_HOME to another folder.',
  'state.unusable':
    'The progress cannot be saved in {folder}: {detail}. You can set XDG_STATE_HOME to another folder.',
  'text.empty': 'There is no text to share.',
  'text.not_utf8': 'This is not UTF-8 text. Share it as a file.',
  'net.unreachable': '{host} cannot be reached: {detail}.',
  'net.forbidden_port': '{host} cannot be reached: this port is blocked for web requests. Check the address.',
  'net.no_tls': '{host} does not use https on this port. If the port is right, try http://{host}.',
  'net.silent': '{host} is not responding: no data was sent or received for {seconds} seconds.',
  'net.timeout': '{host} cannot be reached: a part of the file was not sent in time.',
  'net.storage':
    'The storage at {host} cannot be reached from here: {detail}. Use --whole to send everything through the server.',
  'net.broken_upload':
    'The upload of {file} was interrupted: {detail} Run the same command again to resume it.',
  'net.broken_share':
    'The upload of {file} was interrupted, and nothing is published yet: {detail} Run the same command again to resume it.',
  'net.broken_download':
    'The download was interrupted at {done} of {total}. Run the same command again to resume it.',
  'net.bad_answer': '{host} does not respond like a Dropleaf server (HTTP {status}).',
  'net.storage_refused': 'The storage rejected a part (HTTP {status}).',
  'get.password': 'The share has a password. Use --ask-password or DROPLEAF_PASSWORD.',
  'get.pin': 'The share has a PIN. Use --pin or DROPLEAF_PIN.',
  'get.busy': '{file} is already being downloaded by the process {pid}. Wait for it, or stop it.',
  'get.busy_just_now':
    'The download of {file} was started just now by another process. Try again in a few seconds.',
  'get.bad_path': 'The server names a path that is not accepted, so the bundle is not saved: {path}',
  'get.no_real_folder':
    '{file} exists and is not a folder. Links are not followed. Move it away, or use -o to choose another folder.',
  'get.no_item': 'The bundle contains no {name}.',
  'get.item_gone': 'Not available any more: {name}',
  'get.incomplete': 'Everything else was saved; unavailable: {count}.',
  'get.wrong_size': 'Only {done} of {total} were received.',
  'seal.no_key':
    'The share is end-to-end encrypted, and its key is missing. Use the whole link with the part after #, or DROPLEAF_SHARE_KEY.',
  'seal.key_length': 'The key after # must have 43 characters. Copy the whole link.',
  'seal.key_characters': 'The key after # has a wrong character. Copy the whole link.',
  'seal.required': 'This server accepts only end-to-end encrypted shares. Add --seal.',
  'seal.wrong_key': 'The key after # is wrong.',
  'seal.wrong_password': 'The password or the key after # is wrong.',
  'seal.not_sealed':
    'A key is given, but the server says that the share is not encrypted, so it is not opened. If the share is really not encrypted, leave out the part after # and DROPLEAF_SHARE_KEY.',
  'seal.version': 'The share was encrypted by a newer version. Update dropleaf.',
  'seal.invalid': 'The encrypted bundle is malformed, so it is not opened.',
  'seal.kdf': 'Checking the password of the share needs too much computation, so it is not opened.',
  'seal.tampered':
    'The stored data of {file} was changed or damaged after encryption, so nothing of it is saved. Ask the sender to share it again.',
  'seal.too_large': '{file} is too large to be encrypted.',
  'seal.too_many_attempts': 'A part of {file} was sent too often. Run the same command again.',
  'seal.unsized': '{file} cannot be encrypted, because its size is not known. Copy it first.',
  'seal.title': 'The title has more than {count} characters. Shorten it.',
  'seal.text': 'The text is longer than {size}. Share it as a file.',
  'seal.state': 'The stored progress is damaged. Run the same command again.',
  'seal.copy_wrong_key': 'The key after # is wrong, or the copy was changed.',
  'seal.copy_wrong_password': 'The password or the key after # is wrong, or the copy was changed.',
  'seal.no_copy': '{file} is not an encrypted copy of a Dropleaf share.',
  'seal.copy_incomplete': 'The encrypted copy is not complete: {file} is missing or has another size.',
  'share.not_found': 'There is no share {name}.',
  'ask.server': 'Address of the server: ',
  'ask.key': 'API key (not shown): ',
  'ask.password': 'Password (not shown): ',
  'ask.share_key': 'Key after # (not shown): ',
  'ask.pin': 'PIN (not shown): ',
  'login.done': 'Stored in {file}. The key is “{name}”.',
  'logout.done': 'The login was deleted.',
  'delete.done': 'Deleted: {name}',
  'list.empty': 'There are no shares.',
  'upload.resumed': '{file}: resuming at {done} of {total}',
} as const
