/** Texts of the page in its languages. */

const en = {
  title: 'Open an encrypted copy',
  about:
    'This page opens a downloaded copy of an end-to-end encrypted Dropleaf share. It works without a server and sends nothing. You can save it and open it from your disk.',
  files: 'The copy: the zip file, or all files in its folder',
  key: 'Key: the part of the link after #, or the whole link',
  password: 'Password',
  open: 'Open',
  opening: 'Opening …',
  checking: 'Checking the password. This can take some seconds …',
  text: 'Text',
  items: 'Files',
  show: 'Show',
  hide: 'Hide',
  save: 'Save',
  saving: 'Saving: {percent} %',
  saved: 'Saved',
  insecure:
    'This browser does not decrypt on a page from an http address. Save this page (Ctrl+S) and open the saved file.',
  noFiles: 'Choose the copy first.',
  'key.missing': 'Enter the key.',
  'key.length': 'The key has 43 characters. Copy the whole link.',
  'key.characters': 'The key has a wrong character. Copy the whole link.',
  'password.missing': 'The share has a password. Enter it.',
  wrongKey: 'The key is wrong, or the copy was changed.',
  wrongPassword: 'The password or the key is wrong, or the copy was changed.',
  'copy.malformed': 'These files are not an encrypted copy of a Dropleaf share.',
  'copy.incomplete': 'The copy is not complete. Missing: {file}',
  fileChanged: 'The copy was changed or moved after you chose it. Choose it again.',
  version: 'The share was encrypted by a newer version. Get a newer copy of this page.',
  kdf: 'Checking the password of the share needs too much computation, so it is not opened.',
  tampered: 'The data was changed or damaged after encryption, so nothing was saved.',
  invalid: 'The encrypted share is malformed, so it is not opened.',
  tooLarge: 'This browser cannot save such a large file. Use a Chromium browser, or: dropleaf open',
  failed: 'This did not work: {detail}',
} as const

export type TextKey = keyof typeof en

const zh: Readonly<Record<TextKey, string>> = {
  title: '打开加密副本',
  about:
    '此页面用于打开已下载的端到端加密 Dropleaf 分享的副本。它不需要服务器，也不发送任何内容。您可以保存此页面，从磁盘打开它。',
  files: '副本：zip 文件，或其文件夹中的所有文件',
  key: '密钥：链接中 # 后面的部分，或完整的链接',
  password: '密码',
  open: '打开',
  opening: '正在打开…',
  checking: '正在验证密码，可能需要几秒钟…',
  text: '文本',
  items: '文件',
  show: '显示',
  hide: '隐藏',
  save: '保存',
  saving: '正在保存：{percent}%',
  saved: '已保存',
  insecure: '此浏览器不在 http 地址的页面上解密。请保存此页面（Ctrl+S），然后打开保存的文件。',
  noFiles: '请先选择副本。',
  'key.missing': '请输入密钥。',
  'key.length': '密钥有 43 个字符。请复制完整的链接。',
  'key.characters': '密钥中有错误的字符。请复制完整的链接。',
  'password.missing': '该分享有密码，请输入。',
  wrongKey: '密钥不正确，或副本已被修改。',
  wrongPassword: '密码或密钥不正确，或副本已被修改。',
  'copy.malformed': '这些文件不是 Dropleaf 分享的加密副本。',
  'copy.incomplete': '副本不完整，缺少：{file}',
  fileChanged: '选择之后，副本已被修改或移动。请重新选择。',
  version: '该分享由更新的版本加密，请使用此页面的新版本。',
  kdf: '验证该分享的密码所需的计算量过大，没有打开。',
  tampered: '数据与加密时不同，没有保存任何内容。',
  invalid: '加密分享的格式不正确，没有打开。',
  tooLarge: '此浏览器无法保存这么大的文件。请使用 Chromium 浏览器，或：dropleaf open',
  failed: '操作失败：{detail}',
}

const isChinese = navigator.language.toLowerCase().startsWith('zh')

export const LANGUAGE = isChinese ? 'zh-CN' : 'en'

export const translate = (key: TextKey, params: Readonly<Record<string, string | number>> = {}): string =>
  (isChinese ? zh : en)[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
