import type { sealedReading as chinese } from '../zh-CN/sealed-reading.ts'

export const sealedReading: typeof chinese = {
  badge: 'End-to-end encrypted.',
  badgeText: 'The contents are decrypted on this device only. The server cannot read them.',
  about: 'What is hidden, what is not',
  moreActions: 'More actions for this encrypted bundle',
  copyWithoutKey: 'Copy link without key',
  copyKey: 'Copy key',
  withoutKeyCopied: 'Link without key copied. Send the key separately',
  keyCopied: 'Key copied',
  saveEncrypted: 'Download encrypted copy',
  deriving: 'Computing the key from the password…',
  insecure: {
    title: 'This link needs HTTPS',
    text: 'Browsers decrypt only on pages with an encrypted connection (HTTPS). Open this link with an address that starts with https://.',
  },
  key: {
    title: 'This link has no key',
    text: 'The contents are end-to-end encrypted. The key is the part of the link after #. Paste the key or the whole link. It is not sent to the server.',
    label: 'Key or whole link',
    open: 'Open',
    missing: 'Enter the key or the whole link. The key is after #.',
    length: 'The key is incomplete, or has extra characters. A key has 43 characters. Copy the link again.',
    characters: 'The key contains invalid characters. Copy the link again.',
    ending: 'A character of the key is wrong. Copy the link again.',
    wrong: 'The key is wrong. Check that the link is complete, or ask the person who shared it.',
  },
  replaced: {
    title: 'This share is not encrypted',
    keyText:
      'The link has a key, but the server says that the share is not encrypted. It may have been replaced, so nothing of it is shown. Ask the person who shared it.',
    wayText:
      'The link has a key, but the server says that the share is not encrypted. It may have been replaced, so nothing of it is shown. Ask the person who shared it. Show it only if you expect a share without encryption, which the server can read and change.',
    linkText:
      'This browser knows an encrypted share with this link, but the server says that the share is not encrypted. It may have been replaced, so nothing of it is shown. Ask the person who shared it.',
    way: 'Show the unencrypted share',
  },
  password: {
    title: 'This encrypted bundle is protected by a password',
    wrong: 'The password or the key in the link is wrong.',
  },
  fault: {
    refusedTitle: 'The contents do not match the key',
    refusedText:
      'Either the key in the link belongs to another bundle, or the data from the server was changed. Nothing is shown.',
    olderTitle: 'This version is older than one you have seen',
    olderText:
      'This browser has seen a newer version, but the server returned an older one, which is not shown. Try again later, or ask the person who shared it.',
    demandingTitle: 'Checking the password takes too much computing power',
    demandingText:
      'Computing the key from the password would take more memory or time than allowed, so it was not started.',
    newerTitle: 'A newer version is needed',
    newerText:
      'This bundle was encrypted by a newer version of Dropleaf. Reload the page, or ask the administrator to update the server.',
    invalidTitle: 'The contents of this bundle are not valid',
    invalidText:
      'The contents could be decrypted, but their format is not valid, so nothing is shown. Ask the person who shared them.',
    tamperedTitle: 'The stored contents were changed',
    tamperedText:
      'The stored contents are not those that were sent. They were changed or damaged after encryption, so nothing is shown.',
  },
  save: {
    failed: '“{{name}}” was not saved: {{reason}}',
    no_way:
      'This browser cannot save a file of this size. Use Chrome or Edge on a computer, or the command line: dropleaf get.',
    ended_early:
      'The browser ended the download early. The file is not complete; delete it. Try again with Chrome or Edge, or with the command line: dropleaf get.',
    tampered: 'The stored file is not the one that was sent. No file was saved.',
    full: 'There is not enough space on the disk. No file was saved.',
    in_use: 'The file is already being saved, here or in another tab. Wait until it is saved.',
  },
  page: {
    title: 'What is hidden, what is not',
    intro:
      'End-to-end encrypted shares are encrypted on the device of the sender and decrypted on the device of the reader. The key is the part of the link after #, which browsers do not send to the server.',
    hiddenTitle: 'Hidden',
    hidden:
      'Texts, titles, files with their names, types and folders, and thumbnails. If they are changed, swapped, shortened or extended, the reader’s device detects this and refuses to show them.',
    fromTitle: 'Hidden from',
    from: {
      storage: 'The storage provider, which sees only encrypted data.',
      backup: 'Someone who steals the database or a backup.',
      operator: 'An operator of the server who looks at the stored data later.',
      scanners:
        'Link previews and scanners that drop the part after #. A scanner that loads the whole link in a browser can open the share; choose “Ask before opening” against it.',
    },
    notTitle: 'Not hidden',
    not: {
      metadata:
        'The server knows that the share exists, who created it and when, how often it was opened and from which network, the number and size of its encrypted objects, its link name, expiry and limits, and the owner’s private note.',
      sizes:
        'The exact size of each encrypted object. Titles and texts of up to 256 KiB are padded, so their size is known only roughly.',
      newest:
        'Which version is the newest. A server can return an earlier version to a reader who opens the share for the first time. A browser that has seen a newer version refuses earlier ones.',
      pictures:
        'A text can contain pictures from other sites. They load only after the reader allows it; those sites then see that somebody reads.',
    },
    promiseTitle: 'Not guaranteed',
    promise: {
      code: 'A server could send someone modified code at any time, and read the contents that way. The page for opening copies at /open.html comes from the same server and could be modified as well. Only the command line, and a page for opening copies that you saved earlier or got from elsewhere, do not use code from that server.',
      link: 'Anyone with the whole link can read the share. If it has a password, they need the password as well.',
      password:
        'An operator of the server who also has the link can try passwords one by one. An operator without the link cannot.',
      change:
        'The key and the password cannot be changed later. For another password, create a new share, which is encrypted again.',
      devices: 'Malware on the device of the sender or of a reader can read the contents.',
      readers: 'Readers can pass on what they read.',
      deletion: 'A storage that keeps old versions may keep encrypted data after it was deleted.',
      availability: 'The server or the storage may lose data, or stop providing it.',
      lost: 'Nobody can recover a lost link, not even the administrator.',
    },
    auditTitle: 'Not audited',
    audit:
      'Nobody outside the project has audited the format or the program. The format is fully documented, so that anyone can check it.',
    opener: 'Open an encrypted copy',
  },
}
