/** Errors of administration. */
export const adminErrors = {
  api_key: {
    not_found: 'API 密钥不存在',
    name_taken: '已有同名的 API 密钥',
    key_taken: '这个密钥已被使用，请换一个',
    nothing_to_change: '没有需要更改的内容',
    invalid_path: '路径无效',
  },
  mount: {
    not_found: '挂载点不存在',
    path_invalid: '挂载路径不正确，请使用 /photos 这样的形式',
    path_reserved: '这个挂载路径是系统保留路径',
    path_taken: '这个挂载路径已被占用',
    storage_unknown: '挂载点的存储配置不存在',
  },
  reconciliation: { running: '已有一次核对正在进行，请等它结束' },
  backup: {
    not_a_backup: '这不是 Dropleaf 备份文件',
    version_unknown: '此备份来自更新版本的 Dropleaf，请先升级本服务器',
    passphrase_missing: '此备份包含密钥等机密信息，请输入导出时设置的口令',
    passphrase_wrong: '口令与此备份不符',
    broken_off: '备份文件不完整：可能被截断或改动过。未导入任何内容',
    line_invalid: '备份文件中有一行无效。未导入任何内容',
    too_large: '备份文件超过 64 GB',
    conflict: '本服务器上已有数据，请确认可以替换',
  },
  settings: {
    nothing_to_change: '没有需要更改的设置',
  },
}
