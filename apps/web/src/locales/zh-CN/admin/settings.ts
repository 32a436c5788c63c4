export const settings = {
  title: '系统设置',
  saved: '设置已保存',
  uploads: {
    title: '上传',
    maxSize: '单个文件上限',
    maxSizeHint: '适用于所有人的上传，按整 MB 保存',
    unit: '单位',
    problems: {
      notANumber: '请填写大于 0 的数字',
      notWhole: '换算后须为整数 MB，例如 1024 的倍数 KB',
      tooSmall: '至少 1 MB',
      tooLarge: '最多 10 TB（10240 GB）',
      grace: '请填写整数分钟，最多 1440（一天）',
    },
    webdavMode: 'WebDAV 上传方式',
    webdavModes: { auto: '自动', direct: '直接写入', multipart: '分片写入' },
    webdavHints: {
      auto: '16 MB 以内用一次请求写入存储桶，更大的文件分片写入，网速慢时大文件更稳妥。',
      direct: '64 MB 以内用一次请求写入存储桶，更大的文件分片写入，适合大多数情况。',
      multipart: '文件以 8 MB 起的分片写入存储桶，适合限制单次请求大小的存储。',
    },
    showShareFiles: '显示分享的文件',
    showShareFilesHint: '您可在文件浏览器和网络驱动器中看到分享所上传的文件；密钥始终看不到。',
    openingGrace: '再次打开不计次数（分钟）',
    openingGraceHint: '打开过限次分享的设备，在这段时间内可以再次打开而不消耗查看次数；填 0 则不允许。',
    atOnce: '保存后立即生效',
  },
}
