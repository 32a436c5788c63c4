export const samples = {
  title: '示例内容',
  offer: '想先看看效果？可以放入几个示例：一篇 Markdown 文本、一个表格文件和一个示例文件夹。',
  offerHint: '随时可以一键移除，不会动您自己的内容。',
  make: '放入示例',
  made: '示例已放入',
  text: '这些是示例。移除时，您更改过的和另外添加的内容会保留。',
  kinds: { text: '文本', file: '文件', folder: '文件夹' },
  remove: '移除示例',
  removed: '示例已移除',
  kept: '示例已移除。您更改过的保留：{{names}}',
}
