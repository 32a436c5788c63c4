import type { DoctorTexts } from './index.ts'

const CORS_STEPS = [
  '打开：{cors}。',
  '把这条规则放在其他规则之前并保存：{cors_rule}',
  '等待一分钟后重新测试。',
]

export const zh: DoctorTexts = {
  repair: '可以让测试自动写入此规则：重新测试并选择修复，其他规则会保留。',
  words: {
    ahead: '快',
    behind: '慢',
    path: '路径中（开启路径样式）',
    virtual: '主机名中（关闭路径样式）',
  },
  findings: {
    access_key_unknown: {
      message: '存储不认识此访问密钥 ID（{reason}）。',
      steps: [
        '打开：{keys}，核对访问密钥 ID，它可能已被删除或停用。',
        '重新复制 ID（不要带空格），或新建密钥并在此填写它的两个部分。',
      ],
    },
    secret_wrong: {
      message: '私有访问密钥与此访问密钥 ID 不匹配（{reason}）。',
      steps: [
        '私钥只在创建时显示一次：若已遗失，请打开：{keys}，新建密钥。',
        '同时填写新的访问密钥 ID 和私钥。',
      ],
    },
    bucket_missing: {
      message: '此端点上没有名为 {bucket} 的存储桶。',
      steps: [
        '打开：{buckets}，核对名称，注意大小写。',
        '确认端点属于该存储桶的账户和区域（形如 {endpoint}）。',
      ],
    },
    region_wrong: {
      message: '存储桶位于另一个区域：存储要求使用 {region}。',
      steps: ['将区域填写为 {region}。', '核对：{regions}；端点必须指向同一区域（形如 {endpoint}）。'],
    },
    clock_skew: {
      message: '本服务器的时钟比存储{direction} {minutes} 分钟。',
      steps: [
        '让服务器自动校时：在 Linux 上执行 “timedatectl set-ntp true”，再用 “timedatectl” 查看是否已同步。',
        '在虚拟机或容器中，请校准宿主机的时钟。',
        '重新测试：相差 15 分钟以上时签名会被拒绝。',
      ],
    },
    dns_failed: {
      message: '找不到主机 {host} 的地址（{reason}）。',
      steps: [
        '检查端点是否有拼写错误，其形式为 {endpoint}。',
        '确认本服务器可以解析域名：“nslookup {host}”。',
      ],
    },
    tls_failed: {
      message: '无法与 {host} 建立安全连接（{reason}）。',
      steps: [
        '如果存储使用普通 http，请把端点开头改为 http://。',
        '如果证书是自签名的，请安装受信任机构的证书，或用 NODE_EXTRA_CA_CERTS 让本服务器信任它。',
        '确认证书包含主机 {host} 且没有过期。',
      ],
    },
    timeout: {
      message: '位于 {host} 的存储没有及时响应。',
      steps: [
        '检查端点的主机和端口（形如 {endpoint}）。',
        '确认防火墙允许本服务器访问它。',
        '查看服务商的状态页面，稍后再试。',
      ],
    },
    unreachable: {
      message: '无法连接到 {host}（{reason}）。',
      steps: ['检查端点的主机和端口（形如 {endpoint}）。', '确认存储正在运行，且防火墙允许本服务器访问它。'],
    },
    style_wrong: {
      message: '存储要求把存储桶名称放在{style}。',
      steps: ['更改此存储的“路径样式”设置，然后重新测试。'],
    },
    not_s3: {
      message: '{host} 上响应的不是 S3 存储。',
      steps: [
        '请填写 S3 接口的地址，而不是网页或控制台的地址（形如 {endpoint}）。',
        '检查端口：控制台的端口通常与 S3 接口不同。',
      ],
    },
    bucket_in_endpoint: {
      message: '端点中已包含存储桶名称，后面又重复了一次。',
      steps: ['将端点填写为 {endpoint}，存储桶名称只填写在它自己的栏位中。'],
    },
    access_denied: {
      message: '此密钥没有权限列出存储桶，也没有权限写入（{reason}）。',
      steps: [
        '打开：{rights}，允许此密钥列出存储桶，并读取、写入和删除其中的对象。',
        '确认密钥没有被限制到其他存储桶、目录或地址。',
      ],
    },
    list_denied: {
      message: '此密钥可以写入，但不能列出存储桶（{reason}）。',
      steps: ['打开：{rights}，允许此密钥列出存储桶（s3:ListBucket），否则目录会显示为空。'],
    },
    read_only: {
      message: '此密钥只能读取，不能写入（{reason}）。',
      steps: [
        '打开：{rights}，允许此密钥写入（s3:PutObject）和删除（s3:DeleteObject）对象。',
        '检查存储桶策略是否禁止写入。',
      ],
    },
    delete_denied: {
      message: '此密钥可以写入，但不能删除（{reason}）。',
      steps: ['打开：{rights}，允许此密钥删除对象（s3:DeleteObject）。', '如有需要，请手动删除测试文件。'],
    },
    storage_full: {
      message: '存储空间不足：已达到配额或消费上限（{reason}）。',
      steps: ['打开：{buckets}，提高配额或上限，或删除不需要的内容。'],
    },
    storage_failing: {
      message: '存储自身出错（{reason}）。',
      steps: ['查看服务商的状态页面，几分钟后再试。'],
    },
    cors_missing: {
      message: '存储桶不允许来自 {origin} 的网页使用，因此浏览器上传会失败。',
      steps: CORS_STEPS,
    },
    cors_no_put: {
      message: '存储桶的 CORS 规则允许 {origin} 的网页下载，但不允许上传。',
      steps: ['打开：{cors}，在允许的方法中加入 PUT。', ...CORS_STEPS.slice(1)],
    },
    cors_headers: {
      message: '存储桶的 CORS 规则不允许上传所需的请求头。',
      steps: ['打开：{cors}，允许所有请求头（*）。', ...CORS_STEPS.slice(1)],
    },
    cors_no_etag: {
      message: '存储桶的 CORS 规则没有暴露 ETag，浏览器无法完成大文件上传。',
      steps: ['打开：{cors}，在暴露的响应头中加入 ETag。', ...CORS_STEPS.slice(1)],
    },
    mixed_content: {
      message: '浏览器不允许 {origin} 的网页访问没有 https 的端点。',
      steps: ['为存储配置证书，并让端点以 https:// 开头。'],
    },
    signed_upload_failed: {
      message: '服务器可以写入，但上传到签名地址被拒绝（{reason}）。',
      steps: [
        '如果存储前面有代理，请让它原样传递 Host 请求头。',
        '检查存储桶策略是否要求特定的请求头或地址。',
      ],
    },
    uploads_never_aborted: {
      message: '从未完成的上传分片会一直留在存储桶中并产生费用。',
      steps: ['打开：{lifecycle}，为整个存储桶添加规则：1 天后中止未完成的分片上传。'],
    },
    unknown: {
      message: '存储返回了未知的拒绝（{reason} {status}）。',
      steps: [
        '核对端点、区域和存储桶与服务商显示的是否一致（形如 {endpoint}）。',
        '在服务商的文档中查找该错误代码。',
      ],
    },
    credentials_unreadable: {
      message: '无法解密已保存的访问密钥：本服务器的密钥已更改。',
      steps: ['重新填写访问密钥 ID 和私有访问密钥。', '或用原来的 ENCRYPTION_SECRET 启动服务器。'],
    },
    endpoint_invalid: {
      message: '端点不是网址。',
      steps: ['请按 {endpoint} 的形式填写端点。'],
    },
    disk_missing: {
      message: '此存储的目录不存在，或磁盘没有挂载。',
      steps: ['确认数据文件夹所在的磁盘已挂载，然后重启服务器。'],
    },
    disk_denied: {
      message: '服务器无权写入此存储的目录。',
      steps: ['让运行服务器的用户有权写入数据文件夹。'],
    },
    disk_full: {
      message: '磁盘已满，存储空间不足。',
      steps: ['删除不需要的内容，或把数据文件夹移到更大的磁盘。'],
    },
    disk_low: {
      message: '磁盘只剩 {free}。',
      steps: ['删除不需要的内容，或把数据文件夹移到更大的磁盘。'],
    },
    disk_failing: {
      message: '磁盘出错（{reason}）。',
      steps: ['查看服务器日志和系统日志中的磁盘错误。'],
    },
  },
  places: {
    'AWS S3': {
      keys: 'AWS 控制台 → IAM → 用户 → 您的用户 → 安全凭证 → 访问密钥',
      rights: 'AWS 控制台 → IAM → 用户 → 您的用户 → 权限',
      buckets: 'AWS 控制台 → S3 → 存储桶',
      cors: 'AWS 控制台 → S3 → 您的存储桶 → 权限 → 跨源资源共享（CORS）',
      lifecycle: 'AWS 控制台 → S3 → 您的存储桶 → 管理 → 生命周期规则',
      endpoint: 'https://s3.REGION.amazonaws.com',
      regions: 'AWS 控制台 → S3 → 存储桶，“AWS 区域”一列',
    },
    'Cloudflare R2': {
      keys: 'Cloudflare 仪表板 → R2 → 管理 API 令牌',
      rights: 'Cloudflare 仪表板 → R2 → 管理 API 令牌 → 您的令牌（对此存储桶选择“对象读和写”）',
      buckets: 'Cloudflare 仪表板 → R2 → 概述',
      cors: 'Cloudflare 仪表板 → R2 → 您的存储桶 → 设置 → CORS 策略',
      lifecycle: 'Cloudflare 仪表板 → R2 → 您的存储桶 → 设置 → 对象生命周期规则',
      endpoint: 'https://ACCOUNT_ID.r2.cloudflarestorage.com',
      regions: 'R2 文档：区域始终为 “auto”',
    },
    'Backblaze B2': {
      keys: 'Backblaze → Application Keys',
      rights: 'Backblaze → Application Keys（为此存储桶新建 “Read and Write” 密钥）',
      buckets: 'Backblaze → Buckets',
      cors: 'Backblaze → Buckets → 您的存储桶 → CORS Rules（单个响应头需用 b2 命令行设置）',
      lifecycle: 'Backblaze → Buckets → 您的存储桶 → Lifecycle Settings',
      endpoint: 'https://s3.REGION.backblazeb2.com',
      regions: 'Backblaze → Buckets → 您的存储桶，“Endpoint” 一行',
    },
    'Aliyun OSS': {
      keys: '阿里云控制台 → 访问控制 RAM → 用户 → 您的用户 → AccessKey',
      rights: '阿里云控制台 → 访问控制 RAM → 用户 → 您的用户 → 权限管理',
      buckets: 'OSS 控制台 → Bucket 列表',
      cors: 'OSS 控制台 → 您的 Bucket → 数据安全 → 跨域设置',
      lifecycle: 'OSS 控制台 → 您的 Bucket → 数据管理 → 生命周期',
      endpoint: 'https://oss-REGION.aliyuncs.com',
      regions: 'OSS 控制台 → 您的 Bucket → 概览 → 访问端口',
    },
    Other: {
      keys: '服务商创建访问密钥的页面',
      rights: '服务商设置密钥权限的页面',
      buckets: '服务商的存储桶列表',
      cors: '存储桶的 CORS 设置，或使用 “aws s3api put-bucket-cors --endpoint-url ENDPOINT”',
      lifecycle:
        '存储桶的生命周期设置，或使用 “aws s3api put-bucket-lifecycle-configuration --endpoint-url ENDPOINT”',
      endpoint: 'https://s3.example.com',
      regions: '服务商为该存储桶标明的区域',
    },
  },
  notes: {
    read_done: '可以列出存储桶。',
    write_done: '服务器可以写入和删除。',
    write_skipped_b2: 'Backblaze B2 跳过此步：下面的上传可证明能够写入。',
    cors_done: '网页可以上传和下载。',
    cors_own: '本地磁盘由本服务器提供，所有网页都可使用。',
    browser_done: '上传到签名地址与浏览器中一样成功。',
    browser_own: '本地磁盘的签名地址指向本服务器；内容已写入并读回。',
    not_tried: '请先处理发现的问题，再测试这一步。',
    step_sign: '签名地址',
    step_upload: '上传',
    step_verify: '检查文件并删除',
    all_well: '存储工作正常。',
    some_wrong: '有问题需要处理。',
  },
}
