import { rules } from '@dropleaf/contract'
import * as z from 'zod/mini'
import type { Catalogue, Messages } from './index.ts'

const messages: Messages = {
  'request.invalid': 'The request is not valid: {detail}',
  'request.refused': 'The request cannot be read: {detail}',
  'request.bad_host': 'The host name in the request is not valid.',
  'request.too_large': 'The request body is too large.',
  'request.too_slow': 'The request body arrived too slowly. Try again over a better connection.',
  'request.not_found': 'There is nothing at this address.',
  'request.condition_failed': 'The current version is not the one that the request requires.',
  'request.idempotency_in_progress':
    'The same request is still being processed. Try again in {seconds} seconds.',
  'request.idempotency_key_reused':
    'The Idempotency-Key was already used for another request. Use a new one.',
  'request.rate_limited': 'Too many attempts. Try again in {seconds} seconds.',
  'request.internal':
    'Something went wrong on the server. The request ID helps the administrator find it in the log.',
  'request.unavailable': 'The server cannot do this right now. Try again soon.',
  'auth.unauthorized': 'Unauthorized: log in, or send a valid API key.',
  'auth.invalid_credentials': 'Wrong username or password.',
  'auth.wrong_current_password': 'The current password is wrong.',
  'auth.forbidden': 'No permission for this feature. Contact the administrator.',
  'auth.storage_forbidden': 'No permission to use this storage (permission denied).',
  'auth.path_forbidden': 'No permission for this path (permission denied).',
  'auth.session_not_found': 'This session has already ended.',
  'auth.username_taken': 'This username is already taken.',
  'auth.password_unchanged': 'The new password must be different from the current one.',
  'auth.nothing_to_change': 'Enter a new password, a new username, or both.',
  'api_key.not_found': 'No such API key (404).',
  'api_key.name_taken': 'An API key with this name already exists.',
  'api_key.key_taken': 'This key is already in use.',
  'api_key.nothing_to_change': 'There is nothing to change in this request.',
  'api_key.invalid_path': 'The base path is not valid: use a path like /photos/2030, without "." and "..".',
  'paste.not_found': 'This text share does not exist (404).',
  'paste.expired': 'This text share has expired (410).',
  'paste.used_up': 'This text share has reached its view limit (410).',
  'paste.slug_taken': 'This custom link is already taken. Try another one.',
  'paste.password_missing': 'This text share requires a password.',
  'paste.password_wrong': 'Wrong password (401).',
  'paste.no_password': 'This text share has no password.',
  'paste.changed': 'This text was saved again after you opened it.',
  'paste.revision_not_found': 'This version no longer exists.',
  'paste.content_empty': 'The text must not be empty.',
  'paste.content_too_large': 'The text is larger than 10 MB: share it as a file.',
  'paste.not_text': 'This is not UTF-8 text. Share it as a file, with curl -T.',
  'share.ask_first':
    'This share opens only after a confirmation, so no view was used. Open its page, or send POST /api/opening/{kind}/{slug}/take with the header "X-Dropleaf-Open: yes".',
  'share.too_early': 'The request came sooner than a person could send it. Open the page again.',
  'share.intent_invalid': 'This opening has expired or was used already. Open the page again.',
  'share.automated':
    'A program tried to open this share from here, so it stays closed for some minutes. Try again later.',
  'share.pin_missing': 'This share needs a PIN.',
  'share.pin_wrong': 'Wrong PIN.',
  'share.must_be_sealed':
    'The administrator allows only end-to-end encrypted shares. Turn on "End-to-end encrypted", or use --seal on the command line.',
  'share.sealing_off': 'The administrator has turned off end-to-end encrypted shares.',
  'share.pin_needs_ask': 'A share with a PIN must ask before it opens.',
  'share.contents_gone': 'The contents are deleted, so this share cannot open again. Create a new share.',
  'shell.form':
    'This is a form (curl -F). Share a file with curl -T FILE HOST/ and a text with curl --data-binary @FILE HOST/.',
  'shell.name_missing': 'Data from a pipe has no name. Give it one: curl -T - HOST/NAME.',
  'shell.text_empty':
    'The text is empty because the request has no body. Example: echo hello | curl --data-binary @- HOST/.',
  'shell.text_too_large': 'The text is larger than 10 MB. Share it as a file: curl -T FILE HOST/.',
  'shell.option_unknown': 'There is no option {name}, so nothing was shared. Available options: {known}.',
  'bundle.not_found': 'This bundle does not exist (404).',
  'bundle.expired': 'This bundle has expired (410).',
  'bundle.used_up': 'This bundle has reached its view limit (410).',
  'bundle.slug_taken': 'This custom link is already taken. Try another one.',
  'bundle.id_taken':
    'Another bundle has this ID, or the bundle with this ID was published with other settings.',
  'bundle.password_missing': 'This bundle requires a password.',
  'bundle.password_wrong': 'Wrong password (401).',
  'bundle.ticket_invalid': 'The bundle has to be opened again.',
  'bundle.seal_incomplete':
    'The bundle cannot be end-to-end encrypted like this: it needs a salt and a verifier, and its password stays on your device.',
  'bundle.not_sealed':
    'This bundle is end-to-end encrypted, but the contents that were sent are not encrypted. They were not stored. Update the program that sent them.',
  'bundle.not_sealable':
    'This bundle is not end-to-end encrypted, so encrypted contents cannot be added to it.',
  'bundle.is_sealed':
    "This bundle is end-to-end encrypted. The server cannot read it. Open the whole link in a browser, or run: dropleaf get 'LINK#KEY'",
  'bundle.seal_fixed':
    'The password of an end-to-end encrypted bundle is a part of its key and cannot change. Make a new bundle with another password.',
  'bundle.proof_missing':
    "This bundle is end-to-end encrypted and opens only with its key, the part of the link after #. Open the whole link in a browser, or run: dropleaf get 'LINK#KEY'",
  'bundle.proof_wrong': 'The key or the password is wrong.',
  'bundle.changed': 'This bundle was published again after you opened it.',
  'bundle.empty': 'A bundle needs a text or a file.',
  'bundle.path_invalid': 'Some names of files are not valid, or are used twice.',
  'bundle.manifest_too_large': 'The text and the names of the files are too long for one bundle.',
  'bundle.object_missing': 'A file of this bundle has not been uploaded.',
  'bundle.object_exists': 'A file with this number is already uploaded.',
  'bundle.object_named': 'A version of this bundle still contains this file.',
  'bundle.too_many_objects': 'A bundle cannot have so many files.',
  'bundle.item_not_found': 'The bundle contains no such file or folder.',
  'bundle.item_kind': 'This route does not apply to this kind of item.',
  'bundle.item_gone': 'A file or folder of this bundle is no longer available (410).',
  'bundle.revision_not_found': 'This version no longer exists.',
  'file.not_found': 'This file does not exist (404).',
  'file.expired': 'This file share has expired (410).',
  'file.used_up': 'This file share has reached its view limit (410).',
  'file.slug_taken': 'This custom link (slug) is already taken. Try another one.',
  'file.already_shared': 'This file is already shared. Change the existing share instead.',
  'file.path_taken': 'A file with this name already exists there.',
  'file.path_invalid': 'The folder is not valid: use a path like photos/2030, without "." and "..".',
  'file.name_invalid': 'The file name is not valid.',
  'file.too_large':
    'The file is larger than the limit of {limit}, which the administrator or the storage sets.',
  'file.storage_full':
    'Insufficient storage: file size({size}) exceeds the remaining space({remaining}), the capacity limit is {capacity}.',
  'file.empty_upload': 'The form contains no file: send it in the field "file".',
  'file.not_uploaded': 'The content of this file has not been uploaded yet.',
  'file.upload_expired': 'This upload took too long and was discarded. Start it again.',
  'file.incomplete': 'The upload ended before all bytes had arrived. Send them again.',
  'file.size_mismatch':
    'The storage received {actual} bytes instead of the announced {expected}. Upload the file again.',
  'file.password_missing': 'This file requires a password.',
  'file.password_wrong': 'Wrong password (401).',
  'file.link_password_wrong': 'Wrong password.',
  'file.no_password': 'This file has no password.',
  'file.not_office': 'This is not an Office file.',
  'file.link_invalid': 'This link is no longer valid. Open the share page again.',
  'storage.not_found': 'No such storage (404).',
  'storage.none': 'There is no storage that you can use.',
  'storage.default_closed':
    'The default storage is not open to API keys, and the local disk may belong to a single replica. Ask the administrator to open the default storage to API keys, or select another storage.',
  'storage.object_missing': 'The file is no longer in the storage.',
  'storage.disk_full': 'The server disk is full.',
  'storage.denied':
    'The storage denied access: its credentials are wrong, or they (or the server in its folder) lack permissions. An administrator can test the storage.',
  'storage.bucket_missing':
    'The bucket of the storage does not exist. An administrator can test the storage.',
  'storage.unavailable': 'The storage is not responding. Try again soon.',
  'storage.link_invalid': 'This signed URL is not valid.',
  'storage.link_expired': 'This signed URL has expired.',
  'storage.range_invalid': 'The requested range lies outside the file.',
  'fs.path_missing': 'A source path and a target path are required.',
  'fs.path_invalid':
    'The path is not valid: use a path like /photos/2030, without "." and "..", with names of at most 255 bytes and 1024 bytes in total.',
  'fs.not_found': 'This file or folder does not exist (404).',
  'fs.no_mount': 'There is no mount at this path (404).',
  'fs.not_operable': 'Mounts and the folders above them cannot be changed here: open a mount first.',
  'fs.read_only': 'This API key can only read mounts (permission denied).',
  'fs.exists': 'Something with this name already exists there.',
  'fs.parent_missing': 'The parent folder does not exist. Create it first.',
  'fs.not_a_folder': 'This is a file, not a folder.',
  'fs.not_a_file': 'This is a folder, not a file.',
  'fs.kind_mismatch': 'Both paths must be folders (with a trailing slash), or both must be files.',
  'fs.other_mount': 'Renaming cannot change the mount. Move the item instead.',
  'fs.into_itself': 'A folder cannot be moved or copied into itself.',
  'fs.changed': 'The file was changed in the meantime. Reload it, then save your changes.',
  'fs.text_too_large': 'The text is longer than 10,485,760 characters: upload it as a file instead.',
  'fs.too_many':
    'There are too many objects for the browser to copy: let the server copy them (server: true).',
  'fs.upload_not_found': 'This upload is unknown or has ended (404). Start it again.',
  'fs.key_mismatch': 'The object {key} does not belong to this path, whose object is {expected}.',
  'fs.upload_mismatch': 'This upload was started for a different location: {field} is different.',
  'fs.parts_missing': 'These parts are missing or different: {parts}. Upload them again.',
  'fs.part_size_wrong': 'Part {part} must have {expected} bytes.',
  'fs.part_number_invalid': 'The parts of this upload are numbered from 1 to {last}.',
  'fs.ticket_invalid': 'This download link was already used or has expired. Start the download again.',
  'fs.path_reserved': 'This path is reserved for shared files. Choose another name.',
  'fs.holds_shares': 'The folder contains shared files, so it was kept. Everything else in it was deleted.',
  'fs.holds_mount': 'The folder contains the mount {mount}. Open it and select the items you want.',
  'fs.paths_too_long':
    'Paths in this folder would become longer than 1,024 bytes there, so nothing was done. Choose a target with a shorter path.',
  'fs.names_unusable':
    'Some objects have names that cannot be written as a path, for example with double slashes. They were not changed. Rename or delete them directly in the storage.',
  'fs.written_meanwhile':
    'Others are adding to this folder. Their newest items are still there; everything else was permanently deleted.',
  'fs.partly_done':
    'The request was only partly done: {done} of {total}. Nothing is lost; repeat the request to continue.',
  'storage.in_use':
    'This storage is in use: {files} files, {mounts} mounts. Delete them first (409 conflict).',
  'storage.endpoint_invalid': 'The endpoint is not valid: use an address like https://s3.example.com.',
  'storage.bucket_invalid': 'The bucket name is not valid: it must not contain slashes or spaces.',
  'storage.credentials_missing': 'An S3 storage requires an access key ID and a secret access key.',
  'storage.custom_host_invalid': 'The custom host is not valid: use an address like https://cdn.example.com.',
  'storage.default_folder_invalid':
    'The default folder is not valid: use a path like photos/2030, without "." and "..".',
  'storage.folder_invalid': 'The folder of a local disk must be a plain name without slashes.',
  'storage.folder_taken': 'Another local disk already uses this folder.',
  'task.not_found': 'This task does not exist (404).',
  'task.not_retryable': 'This task is still running or already completed, so it cannot be retried.',
  'task.cancelled': 'The task was canceled. What was already done is kept.',
  'task.not_ended': 'This task is still running. Cancel it first.',
  'mount.not_found': 'No such mount (404).',
  'mount.path_invalid':
    'The mount path is not valid: use a path like /photos, with letters, digits, "_", "-" and "/", and at most 100 characters.',
  'mount.path_reserved': 'The mount path is reserved: it must not start with /{segment}.',
  'mount.path_taken': 'Another mount already has this path.',
  'mount.storage_unknown': 'The storage of the mount does not exist.',
  'url.invalid':
    'This address cannot be downloaded from: use http:// or https://, without a username and password.',
  'url.refused':
    'This address is on this machine or in a private network, from which downloads are not allowed (permission denied). The administrator can allow it with URL_FETCH_ALLOW.',
  'url.unreachable': 'The address cannot be reached. Check it and try again.',
  'url.timeout': 'The source took too long to respond.',
  'url.too_many_redirects': 'The address redirects too many times.',
  'url.broken_off': 'The download from the source was interrupted. Try again.',
  'url.bad_source': 'The source returned the status {status} instead of the file.',
  'url.ticket_invalid': 'Check the address first: this download is available only for a short time.',
  'file.parts_invalid': 'The parts do not match the upload: {detail}',
  'settings.nothing_to_change': 'This request contains no known setting.',
  'reconciliation.running': 'A storage check is already running.',
  'backup.not_a_backup': 'This file is not a Dropleaf backup.',
  'backup.version_unknown': 'This backup comes from a newer version of Dropleaf. Update this server first.',
  'backup.passphrase_missing': 'This backup contains secrets. Enter its passphrase.',
  'backup.passphrase_wrong': 'The passphrase is wrong.',
  'backup.broken_off': 'The backup is damaged: it ends too early or was changed. Nothing was imported.',
  'backup.line_invalid': 'Line {line} of the backup is not valid. Nothing was imported.',
  'backup.too_large': 'The backup is larger than 64 GB.',
  'backup.conflict': 'This server already contains data. Confirm that you want to replace this data.',
  'webdav.locked':
    'Another program has locked this file or folder. Close the file in that program, or wait until the lock expires.',
  'webdav.condition_failed':
    'A condition of the request is not met: there is a different version, or something already exists there.',
  'webdav.lock_unknown': 'There is no such lock here.',
  'webdav.depth_infinite': 'A whole folder tree cannot be listed at once. Use Depth 0 or 1.',
  'webdav.header_invalid': 'The header {header} is missing or does not have the form that RFC 4918 requires.',
  'webdav.depth_invalid': '{method} does not accept "Depth: {given}" here. It accepts: {allowed}.',
  'webdav.part_refused':
    'PUT stores whole files: a part with Content-Range would replace the whole file. Send the whole file without that header.',
  'webdav.xml_invalid': 'The body is not the XML that this method accepts: {detail}.',
  'webdav.body_unexpected': 'This method accepts no body.',
  'webdav.coding_unsupported':
    'The body is encoded as {coding}, which is not supported here. Send it without Content-Encoding.',
  'webdav.transfer_unsupported':
    'The body uses the transfer coding {coding}, which is not supported here. Send it as is, or in chunks.',
  'webdav.locks_full': 'There are too many locks on this file or folder. Wait until some of them expire.',
  'webdav.properties_full': 'There are too many properties on this file or folder.',
  'webdav.length_mismatch':
    'The header X-Expected-Entity-Length announces {expected} bytes, but {received} were received. Nothing was stored.',
  'webdav.method_impossible': 'This method is not possible for the item at this address.',
  'webdav.same_place': 'Source and target are the same.',
  'webdav.target_elsewhere': 'The target is not on this network drive.',
}

const inOwnWords = Object.fromEntries(
  Object.values(rules).map((words) => [words, words]),
) as Catalogue['rules']

const refusals: Catalogue['refusals'] = {
  FST_ERR_BAD_URL: 'the address is not properly percent-encoded',
  FST_ERR_MAX_PARAM_LENGTH: 'the address is too long',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is empty, although JSON is announced',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body does not have the length given in Content-Length',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'a body of this Content-Type is not accepted here',
  JSON_TOO_DEEP: 'the JSON is nested more than 64 levels deep',
  JSON_TOO_MANY_VALUES: 'the JSON contains more than 200,000 values',
  FORM_TOO_MANY_FIELDS: 'the form contains more than 1,000 fields',
}

export const en: Catalogue = {
  messages,
  rules: inOwnWords,
  refusals,
  ofSchemas: z.locales.en().localeError,
  deletedTexts: (count) => `Deleted ${count} text ${count === 1 ? 'share' : 'shares'}`,
}
