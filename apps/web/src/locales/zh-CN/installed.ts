/** Texts of the installed app, and of pages before any script runs. */
export const installed = {
  name: 'Dropleaf 在线剪贴板',
  description: '自己的在线剪贴板：分享文本和文件，浏览云存储。',
  pageDescription: '自己服务器上的文本与文件分享。',
  needsScript: 'Dropleaf 需要启用 JavaScript。',
  needsScriptToRead: '在此阅读分享的文本需要启用 JavaScript。',
  tooOld:
    '浏览器版本过旧，无法运行 Dropleaf。需要 Chrome 或 Edge 126、Firefox 126、Safari 18（iOS 18）或更新的版本。',
  wideScreenshot: '写下文本，边写边看预览',
  narrowScreenshot: '阅读分享的文本',
  upload: '上传文件',
  files: '浏览文件',
  admin: '管理',
}
