export const shell = {
  skip: '跳到正文',
  home: '首页',
  upload: '上传',
  files: '文件',
  admin: '管理',
  navigation: '主导航',
  menu: '菜单',
  palette: '快速查找',
  paletteFailed: '没能打开。可能是网络中断，或应用刚刚更新。',
  language: '界面语言',
  source: '源代码',
  theme: {
    auto: '主题：跟随系统。点按切换为浅色',
    light: '主题：浅色。点按切换为深色',
    dark: '主题：深色。点按切换为跟随系统',
  },
  offline: '网络已断开',
  offlineCopy: '离线副本，保存于 {{time}}',
  loadAgain: '重新加载',
  footer: '自己的在线剪贴板',
  titles: {
    home: '在线剪贴板',
    admin: '管理',
    paste: '文本分享',
  },
  pageError: {
    title: '页面没能打开',
    text: '可能是网络中断，或应用刚刚更新。',
    draft: '可能是网络中断，或应用刚刚更新。您输入的文字已保存为草稿。',
  },
  pageOffline: {
    title: '页面暂时不可用',
    text: '没有网络连接，这个页面也还没有保存在本设备上。请检查网络连接，或返回之前访问过的页面。',
    draft: '没有网络连接，编辑器也还没有保存在本设备上。请检查网络连接。您输入的文字已保存为草稿。',
    back: '返回上一页',
    server: {
      text: '服务器没有响应，这个页面也还没有保存在本设备上。服务器恢复后会自动打开，您也可以先返回之前访问过的页面。',
      draft:
        '服务器没有响应，编辑器也还没有保存在本设备上。服务器恢复后会自动打开。您输入的文字已保存为草稿。',
    },
  },
  sessionEnd: {
    logout: '已退出登录',
    'account-changed': '已更改，请用新的账户信息登录',
    'admin-expired': '管理员登录已过期，请重新登录',
    'key-invalid': 'API 密钥无效或已过期',
  },
}
