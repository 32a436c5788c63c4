export const shell = {
  skip: '跳到正文',
  home: '首页',
  upload: '上传',
  files: '文件',
  admin: '管理',
  navigation: '主导航',
  menu: '菜单',
  language: '界面语言',
  source: '源代码',
  theme: {
    auto: '主题：跟随系统。点按切换为浅色',
    light: '主题：浅色。点按切换为深色',
    dark: '主题：深色。点按切换为跟随系统',
  },
  footer: '自己的在线剪贴板',
  titles: {
    home: '在线剪贴板',
    admin: '管理',
    paste: '查看分享',
    notFound: '页面未找到',
  },
  pageError: {
    title: '页面没能打开',
    text: '可能是网络中断，或应用刚刚更新。您输入的文字已保存为草稿。',
  },
  sessionEnd: {
    logout: '已退出登录',
    'account-changed': '已更改，请用新的账户信息登录',
    'admin-expired': '管理员登录已过期，请重新登录',
    'key-invalid': 'API 密钥无效或已过期',
  },
}
