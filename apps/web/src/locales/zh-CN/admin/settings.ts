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
    },
    webdavMode: 'WebDAV 上传方式',
    webdavModes: { direct: '直接写入', multipart: '分片写入' },
    webdavHints: {
      direct: '收到的内容作为一个整体写入存储，适合大多数情况。',
      multipart: '内容分片写入存储，适合很大的文件和有单次上传上限的存储。',
    },
    atOnce: '保存后立即生效',
  },
}
