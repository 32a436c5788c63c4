export const account = {
  title: '更改用户名或密码',
  currentPassword: '当前密码',
  newUsername: '新用户名',
  newPassword: '新密码',
  repeatPassword: '再次输入新密码',
  keepHint: '留空则不更改',
  passwordHint: '至少 {{count}} 个字符；留空则不更改',
  problems: {
    needCurrent: '请输入当前密码',
    tooShort: '至少 {{count}} 个字符',
    different: '两次输入的密码不一致',
  },
  change: '更改',
  endsSessions: '更改后所有设备都需要重新登录。',
}
