import { ADMIN_PASSWORD_MIN_LENGTH, FILENAME_MAX_BYTES, rules, SLUG_MAX_LENGTH } from '@dropleaf/contract'
import * as z from 'zod/mini'
import type { Catalogue, Messages } from './index.ts'

const messages: Messages = {
  'request.invalid': '请求内容不正确：{detail}',
  'request.refused': '无法读取请求：{detail}',
  'request.bad_host': '请求中的主机名无效。',
  'request.too_large': '请求内容过大。',
  'request.too_slow': '请求内容传输过慢，请在网络较好时重试。',
  'request.not_found': '这个地址不存在。',
  'request.condition_failed': '内容已不是请求所要求的版本。',
  'request.idempotency_in_progress': '相同的请求仍在处理中，请在 {seconds} 秒后再试。',
  'request.idempotency_key_reused': '该 Idempotency-Key 已用于另一个请求，请换一个新的。',
  'request.rate_limited': '尝试次数过多，请在 {seconds} 秒后再试。',
  'request.internal': '服务器出了问题。管理员可以凭请求编号在日志中查到原因。',
  'request.unavailable': '服务器暂时无法处理，请稍后再试。',
  'auth.unauthorized': '未授权：请登录，或使用有效的 API 密钥。',
  'auth.invalid_credentials': '用户名或密码错误。',
  'auth.wrong_current_password': '当前密码不正确。',
  'auth.forbidden': '没有权限使用此功能，请联系管理员。',
  'auth.storage_forbidden': '没有权限使用此存储配置。',
  'auth.path_forbidden': '没有权限访问此路径。',
  'auth.session_not_found': '该会话已经结束。',
  'auth.username_taken': '该用户名已被占用。',
  'auth.password_unchanged': '新密码不能与当前密码相同。',
  'auth.nothing_to_change': '请至少填写新用户名或新密码。',
  'api_key.not_found': '该 API 密钥不存在。',
  'api_key.name_taken': '同名的 API 密钥已存在。',
  'api_key.key_taken': '该密钥已存在，请换一个。',
  'api_key.nothing_to_change': '没有需要更改的内容。',
  'api_key.invalid_path': '根路径不正确：请使用 /photos/2030 这样的形式，不能含“.”和“..”。',
  'paste.not_found': '文本分享不存在。',
  'paste.expired': '文本分享已过期。',
  'paste.used_up': '文本分享已达到最大查看次数。',
  'paste.slug_taken': '链接后缀已被占用，请换一个。',
  'paste.password_missing': '此文本需要密码。',
  'paste.password_wrong': '密码错误。',
  'paste.no_password': '此文本没有设置密码。',
  'paste.changed': '这段文本在您打开之后又被保存过。',
  'paste.revision_not_found': '这个历史版本已经不存在。',
  'paste.content_empty': '内容不能为空。',
  'paste.content_too_large': '文本超过 10 MB，请作为文件分享。',
  'paste.not_text': '这不是 UTF-8 文本；文件请用 curl -T 分享。',
  'shell.form':
    '这是一个表单（curl -F）。请用 curl -T 文件 HOST/ 分享文件，用 curl --data-binary @文件 HOST/ 分享文本。',
  'shell.name_missing': '来自管道的内容没有名称。请指定名称：curl -T - HOST/名称。',
  'shell.text_empty': '文本为空，请求中没有内容。示例：echo 你好 | curl --data-binary @- HOST/。',
  'shell.text_too_large': '文本超过 10 MB。请作为文件分享：curl -T 文件 HOST/。',
  'shell.option_unknown': '没有选项 {name}，因此没有分享任何内容。可用的选项：{known}。',
  'file.not_found': '文件不存在。',
  'file.expired': '文件分享已过期。',
  'file.used_up': '文件分享已过期：已达到最大查看次数。',
  'file.slug_taken': '链接后缀已被占用，请换一个。',
  'file.already_shared': '该文件已有分享，请更改现有分享。',
  'file.path_taken': '该位置同名文件已存在。',
  'file.path_invalid': '文件夹不正确：请使用 photos/2030 这样的形式，不能含“.”和“..”。',
  'file.name_invalid': '文件名不正确。',
  'file.too_large': '文件超过上限 {limit}，管理员可在系统设置中调整。',
  'file.storage_full':
    '存储空间不足：文件大小（{size}）超过剩余空间（{remaining}），总容量限制为 {capacity}。',
  'file.empty_upload': '表单中没有文件，请放在 file 字段中。',
  'file.not_uploaded': '文件内容尚未到达存储。',
  'file.upload_expired': '上传耗时过长，已被放弃，请重新上传。',
  'file.incomplete': '内容在传完之前中断了，请重新发送。',
  'file.size_mismatch': '存储中有 {actual} 字节，而声明的是 {expected} 字节，请重新上传。',
  'file.password_missing': '此文件需要密码。',
  'file.password_wrong': '密码错误。',
  'file.link_password_wrong': '密码错误。',
  'file.no_password': '此文件没有设置密码。',
  'file.not_office': '这不是 Office 文件。',
  'file.link_invalid': '链接已失效，请重新打开分享页面。',
  'storage.not_found': '存储配置不存在。',
  'storage.none': '没有可用的存储配置。',
  'storage.default_closed':
    '默认存储没有对 API 密钥开放，而本地磁盘可能只属于一个副本。请管理员把默认存储对密钥开放，或指定其他存储。',
  'storage.object_missing': '存储中找不到该文件的内容。',
  'storage.disk_full': '服务器磁盘空间不足。',
  'storage.denied':
    '存储拒绝了请求：凭证不正确，或没有权限（本地磁盘则是服务器对其文件夹没有权限），请管理员测试该存储。',
  'storage.bucket_missing': '存储桶不存在，请管理员测试该存储。',
  'storage.unavailable': '存储没有响应，请稍后再试。',
  'storage.link_invalid': '签名链接无效。',
  'storage.link_expired': '签名链接已过期。',
  'storage.range_invalid': '请求的范围超出了文件大小。',
  'fs.no_thumbnail': '该文件没有缩略图。',
  'fs.path_missing': '该项目缺少源路径或目标路径。',
  'fs.path_invalid':
    '路径不正确：请使用 /photos/2030 这样的形式，不能含“.”和“..”，每个名称最长 255 字节，整个路径最长 1024 字节。',
  'fs.not_found': '文件或文件夹不存在。',
  'fs.no_mount': '该路径下没有挂载点，路径不存在。',
  'fs.not_operable': '不能在这里更改挂载点及其上级文件夹，请先进入一个挂载点。',
  'fs.read_only': '此 API 密钥只能读取挂载点，权限不足。',
  'fs.exists': '该位置同名的文件或文件夹已存在。',
  'fs.parent_missing': '上级文件夹不存在，请先创建。',
  'fs.not_a_folder': '这是文件，不是文件夹。',
  'fs.not_a_file': '这是文件夹，不是文件。',
  'fs.kind_mismatch': '两个路径必须同为文件夹（以斜杠结尾）或同为文件。',
  'fs.other_mount': '重命名不能跨挂载点，请改用移动。',
  'fs.into_itself': '不能把文件夹放进它自己里面。',
  'fs.changed': '文件在此期间已被修改，请重新加载后再保存。',
  'fs.text_too_large': '文本超过 10,485,760 个字符，请改为上传文件。',
  'fs.too_many': '对象太多，无法由浏览器复制，请改为由服务器复制（server: true）。',
  'fs.upload_not_found': '找不到此上传任务，或已结束（不存在），请重新上传。',
  'fs.key_mismatch': '对象 {key} 与此路径不符，应为 {expected}。',
  'fs.upload_mismatch': '此上传任务属于另一个位置：{field} 不一致。',
  'fs.parts_missing': '以下分片没有按所列内容到达：{parts}，请重新上传这些分片。',
  'fs.part_size_wrong': '分片 {part} 的大小必须为 {expected} 字节。',
  'fs.part_number_invalid': '此上传任务的分片编号为 1 到 {last}。',
  'fs.ticket_invalid': '下载地址已使用或已过期，请重新下载。',
  'fs.holds_mount': '文件夹中有挂载点 {mount}，请打开后选择具体内容。',
  'fs.paths_too_long': '该文件夹内的路径在目标位置会超过 1024 字节，因此未作任何更改。请选择更短的目标路径。',
  'fs.names_unusable':
    '有些对象的名称无法用路径表示（例如连续的斜杠），它们会留在原处，请用存储自带的工具重命名或删除。',
  'fs.written_meanwhile': '有人正在向该文件夹写入。最后写入的内容仍在，其余已被永久删除。',
  'fs.partly_done': '只完成了一部分：{done}/{total}。没有内容丢失，重复同一操作即可继续。',
  'storage.in_use': '此存储配置正在使用中：{files} 个文件，{mounts} 个挂载点。请先删除它们。',
  'storage.endpoint_invalid': '端点地址不正确：请使用 https://s3.example.com 这样的形式。',
  'storage.bucket_invalid': '存储桶名称不正确：不能含斜杠和空格。',
  'storage.credentials_missing': 'S3 存储需要访问密钥 ID 和私有访问密钥。',
  'storage.custom_host_invalid': '自定义域名不正确：请使用 https://cdn.example.com 这样的形式。',
  'storage.default_folder_invalid': '默认文件夹不正确：请使用 photos/2030 这样的形式，不能含“.”和“..”。',
  'storage.folder_invalid': '本地磁盘的文件夹只能是一个名称，不能含斜杠。',
  'storage.folder_taken': '另一个本地磁盘已使用此文件夹。',
  'task.not_found': '任务不存在。',
  'task.not_retryable': '任务正在运行或已完成，无需重试。',
  'task.cancelled': '任务已取消，已完成的部分会保留。',
  'task.not_ended': '任务仍在运行，请先取消。',
  'mount.not_found': '挂载点不存在。',
  'mount.path_invalid':
    '挂载路径不正确：请使用 /photos 这样的形式，只能含字母、数字、下划线、连字符、中文和斜杠，最多 100 个字符。',
  'mount.path_reserved': '挂载路径是系统保留路径：不能以 /{segment} 开头。',
  'mount.path_taken': '挂载路径已被占用。',
  'mount.storage_unknown': '挂载点的存储配置不存在。',
  'url.invalid': '无法从该地址获取：请使用 http:// 或 https:// 地址，且不含用户名和密码。',
  'url.refused': '该地址指向本机或内部网络，不能获取，没有权限。管理员可以用 URL_FETCH_ALLOW 放行。',
  'url.unreachable': '无法访问该地址，请检查后重试。',
  'url.timeout': '来源响应超时。',
  'url.too_many_redirects': '该地址重定向次数过多。',
  'url.broken_off': '来源在传完之前中断了，请重试。',
  'url.bad_source': '来源返回状态 {status}，而不是文件。',
  'url.ticket_invalid': '请先查询该地址：下载只在短时间内开放。',
  'file.parts_invalid': '分片与上传不符：{detail}',
  'settings.nothing_to_change': '请求中没有可识别的设置项。',
  'reconciliation.running': '已有一次存储检查正在进行。',
  'backup.not_a_backup': '这不是 Dropleaf 备份文件。',
  'backup.version_unknown': '此备份来自更新版本的 Dropleaf，请先升级本服务器。',
  'backup.passphrase_missing': '此备份包含密钥等机密信息，请输入导出时设置的口令。',
  'backup.passphrase_wrong': '口令与此备份不符。',
  'backup.broken_off': '备份文件不完整：可能被截断或改动过。未导入任何内容。',
  'backup.line_invalid': '备份文件第 {line} 行无效。未导入任何内容。',
  'backup.too_large': '备份文件超过 64 GB。',
  'backup.conflict': '本服务器上已有数据，请确认可以替换。',
  'webdav.locked': '该项目已被其他程序锁定。请在那边关闭文件，或等待锁定结束。',
  'webdav.condition_failed': '请求的条件不成立：目标已是另一个版本，或该处已有内容。',
  'webdav.lock_unknown': '此处没有这个锁。',
  'webdav.depth_infinite': '不能一次列出文件夹的所有层级，请使用 Depth 0 或 1。',
  'webdav.header_invalid': '缺少请求头 {header}，或其格式不符合 RFC 4918。',
  'webdav.depth_invalid': '此处的 {method} 不接受“Depth: {given}”，可用的值：{allowed}。',
  'webdav.part_refused':
    'PUT 只能写入整个文件：带 Content-Range 的片段会替换整个文件。请去掉该请求头，发送完整的文件。',
  'webdav.xml_invalid': '请求体不是该方法所需的 XML：{detail}。',
  'webdav.body_unexpected': '该方法不接受请求体。',
  'webdav.coding_unsupported':
    '请求体使用了 {coding} 编码，服务器不会解码。请去掉 Content-Encoding 后直接发送原始内容。',
  'webdav.transfer_unsupported':
    '请求体使用了 {coding} 传输编码，服务器不会解码。请直接发送，或仅使用分块传输。',
  'webdav.locks_full': '该文件或文件夹上的锁过多，请等待其中一些结束。',
  'webdav.properties_full': '该文件或文件夹的属性过多。',
  'webdav.length_mismatch':
    '请求头 X-Expected-Entity-Length 声明了 {expected} 字节，实际收到 {received} 字节，未保存任何内容。',
  'webdav.method_impossible': '无法对此地址上的内容执行该操作。',
  'webdav.same_place': '来源与目标相同。',
  'webdav.target_elsewhere': '目标不在此网络驱动器上。',
}

const inOwnWords: Catalogue['rules'] = {
  [rules.noNul]: '不能包含 NUL 字符',
  [rules.oneLine]: '只能有一行，且不能包含控制字符',
  [rules.instant]: '应为 ISO 8601 格式的日期和时间',
  [rules.keyExpiry]: '应为 ISO 8601 格式的日期和时间，或“never”',
  [rules.customKey]: '自定义密钥只能使用字母、数字、“-”和“_”',
  [rules.contentEmpty]: '内容不能为空',
  [rules.contentTooLarge]: '内容超过 10 MB',
  [rules.filenameTooLong]: `文件名不能超过 ${FILENAME_MAX_BYTES} 字节`,
  [rules.passwordTooShort]: `至少需要 ${ADMIN_PASSWORD_MIN_LENGTH} 个字符`,
  [rules.shareExpiry]: '应为小时数，或 12h、7d、4w 这样的时长，最长一百年',
  [rules.mountStorageType]: '应为“S3”',
  [rules.slugCharacters]: '链接后缀只能使用字母、数字、“-”和“_”',
  [rules.slugTooLong]: `链接后缀不能超过 ${SLUG_MAX_LENGTH} 个字符`,
  [rules.slugReserved]: '这个链接后缀是系统保留的',
  [rules.queryText]: '应为文本',
  [rules.queryTooShort]: '至少需要 2 个字符',
  [rules.queryTooLong]: '不能超过 200 个字符',
  [rules.taskStates]: '应为以逗号分隔的状态',
}

const refusals: Catalogue['refusals'] = {
  FST_ERR_BAD_URL: '地址的百分号编码不正确',
  FST_ERR_MAX_PARAM_LENGTH: '地址过长',
  FST_ERR_CTP_EMPTY_JSON_BODY: '声明为 JSON 的请求体是空的',
  FST_ERR_CTP_INVALID_JSON_BODY: '请求体不是有效的 JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: '请求体的长度与 Content-Length 不符',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: '此处不读取这种 Content-Type 的请求体',
}

const TYPES: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  int: '整数',
  boolean: ' true 或 false',
  array: '列表',
  object: '对象',
}
const UNITS: Readonly<Record<string, string>> = { string: ' 个字符', array: ' 项' }

const ofLibrary = z.locales.zhCN().localeError

/** Of what the schema library says the frequent in words of our own: its own call a text a number, and types by their English names. */
const ofSchemas: Catalogue['ofSchemas'] = (issue) => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return '缺少此项'
  if (issue.code === 'invalid_type') return `应为${TYPES[issue.expected] ?? ` ${issue.expected}`}`
  if (issue.code === 'invalid_value') return `应为以下之一：${issue.values.map(String).join('、')}`
  if (issue.code === 'too_small') {
    const unit = UNITS[issue.origin]
    return unit === undefined ? `不能小于 ${issue.minimum}` : `至少需要 ${issue.minimum}${unit}`
  }
  if (issue.code === 'too_big') {
    const unit = UNITS[issue.origin]
    return unit === undefined ? `不能大于 ${issue.maximum}` : `不能超过 ${issue.maximum}${unit}`
  }
  return ofLibrary(issue)
}

export const zh: Catalogue = {
  messages,
  rules: inOwnWords,
  refusals,
  ofSchemas,
  deletedTexts: (count) => `已删除 ${count} 条文本分享`,
}
