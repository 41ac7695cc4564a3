// The customers of the made-up hoster: who has which addresses (RFC 5737 and 3849) and names
// (RFC 2606). 203.0.113.192/26 is nobody's, so events there stay unassigned.

interface DemoCustomer {
  readonly id: string
  readonly name: string
  readonly parent_customer_id?: string
  readonly contacts: readonly object[]
  readonly metadata?: object
}

const abuse = (email: string, language = 'en'): object => ({ email, language, purpose: 'abuse' })
const billing = (email: string): object => ({ email, purpose: 'billing' })

export const CUSTOMERS: readonly DemoCustomer[] = [
  {
    id: 'k-1001',
    name: 'Harbour Coffee Roasters',
    contacts: [abuse('it@harbour-coffee.example'), billing('office@harbour-coffee.example')],
    metadata: { segment: 'small business', since: '2021' },
  },
  {
    id: 'k-1002',
    name: 'Lindqvist Web Agency',
    contacts: [abuse('abuse@lindqvist-web.example'), billing('hej@lindqvist-web.example')],
    metadata: { segment: 'reseller', since: '2017' },
  },
  {
    id: 'k-1003',
    name: 'Pixelgarten Games',
    contacts: [abuse('ops@pixelgarten.example', 'de')],
    metadata: { segment: 'gaming', since: '2019' },
  },
  {
    id: 'k-1004',
    name: 'Baltic Parcel Tracking',
    contacts: [abuse('security@baltic-parcel.example')],
    metadata: { segment: 'logistics', since: '2020' },
  },
  {
    id: 'k-1005',
    name: 'Aurora Newsletter Service',
    contacts: [abuse('postmaster@aurora-news.example'), billing('billing@aurora-news.example')],
    metadata: { segment: 'mail sender', since: '2022', watch: 'bulk mail' },
  },
  {
    id: 'k-1006',
    name: 'Bergmann Maschinenbau',
    contacts: [abuse('edv@bergmann-maschinen.example', 'de')],
    metadata: { segment: 'industry', since: '2015' },
  },
  {
    id: 'k-1007',
    name: 'Open Classroom Foundation',
    contacts: [abuse('admins@open-classroom.example')],
    metadata: { segment: 'education', since: '2018' },
  },
  {
    id: 'k-2001',
    name: 'Nimbus VPS (self-service)',
    contacts: [abuse('noc@nimbus-vps.example')],
    metadata: { segment: 'cloud pool', since: '2023', watch: 'short-lived accounts' },
  },
  {
    id: 'k-2002',
    name: 'Quickstack Labs',
    contacts: [abuse('root@quickstack.example')],
    metadata: { segment: 'start-up', since: '2024' },
  },
  {
    id: 'k-2003',
    name: 'Riverbank Hotel Group',
    contacts: [abuse('helpdesk@riverbank-hotels.example', 'fr')],
    metadata: { segment: 'hospitality', since: '2019' },
  },
  {
    id: 'k-2004',
    name: 'Saltmarsh Photography',
    parent_customer_id: 'k-1002',
    contacts: [abuse('hello@closed-mailbox.example')],
    metadata: { segment: 'small business', since: '2023' },
  },
  {
    id: 'k-2005',
    name: 'Velden Shop Systems',
    contacts: [abuse('tech@velden-shop.example', 'de'), billing('buchhaltung@velden-shop.example')],
    metadata: { segment: 'e-commerce', since: '2020' },
  },
  {
    id: 'k-2006',
    name: 'Mottram & Daughters Letting',
    parent_customer_id: 'k-1002',
    contacts: [abuse('lettings@mottram.example')],
    metadata: { segment: 'small business', since: '2025' },
  },
]

export const CONTRACTS: readonly { id: string; customer_id: string; name: string }[] = [
  { id: 'c-4711', customer_id: 'k-1001', name: 'Managed server M' },
  { id: 'c-4820', customer_id: 'k-1002', name: 'Reseller rack, 16 addresses' },
  { id: 'c-4821', customer_id: 'k-1002', name: 'IPv6 for resold sites' },
  { id: 'c-5003', customer_id: 'k-1003', name: 'Game servers, cluster A' },
  { id: 'c-5104', customer_id: 'k-1004', name: 'Tracking portal' },
  { id: 'c-5230', customer_id: 'k-1005', name: 'Bulk mail, dedicated addresses' },
  { id: 'c-5306', customer_id: 'k-1006', name: 'Company line' },
  { id: 'c-5407', customer_id: 'k-1007', name: 'School portal (sponsored)' },
  { id: 'c-6001', customer_id: 'k-2001', name: 'VPS pool north' },
  { id: 'c-6102', customer_id: 'k-2002', name: 'Developer sandboxes' },
  { id: 'c-6203', customer_id: 'k-2003', name: 'Guest network' },
  { id: 'c-6304', customer_id: 'k-2004', name: 'Small website' },
  { id: 'c-6405', customer_id: 'k-2005', name: 'Shop platform' },
  { id: 'c-6406', customer_id: 'k-2005', name: 'Shop platform, staging' },
  { id: 'c-6507', customer_id: 'k-2006', name: 'Small website' },
]

export interface DemoResource {
  readonly kind: 'ip_range' | 'domain' | 'account'
  readonly value: string
  readonly customer_id: string
  readonly contract_id: string
}

const own = (
  kind: DemoResource['kind'],
  value: string,
  customer: string,
  contract: string,
): DemoResource => ({ kind, value, customer_id: customer, contract_id: contract })

export const RESOURCES: readonly DemoResource[] = [
  own('ip_range', '198.51.100.8/29', 'k-1001', 'c-4711'),
  own('domain', 'harbour-coffee.example', 'k-1001', 'c-4711'),
  own('ip_range', '198.51.100.16/28', 'k-1002', 'c-4820'),
  own('ip_range', '2001:db8:1002::/48', 'k-1002', 'c-4821'),
  own('ip_range', '198.51.100.32/27', 'k-1003', 'c-5003'),
  own('ip_range', '198.51.100.64/28', 'k-1004', 'c-5104'),
  own('domain', 'baltic-parcel.example', 'k-1004', 'c-5104'),
  own('ip_range', '198.51.100.80/28', 'k-1005', 'c-5230'),
  own('domain', 'aurora-news.example', 'k-1005', 'c-5230'),
  own('ip_range', '198.51.100.96/28', 'k-1006', 'c-5306'),
  own('ip_range', '198.51.100.112/28', 'k-1007', 'c-5407'),
  own('ip_range', '2001:db8:1007::/48', 'k-1007', 'c-5407'),
  own('ip_range', '203.0.113.0/26', 'k-2001', 'c-6001'),
  own('ip_range', '203.0.113.64/27', 'k-2002', 'c-6102'),
  own('ip_range', '203.0.113.96/28', 'k-2003', 'c-6203'),
  own('ip_range', '203.0.113.112/29', 'k-2004', 'c-6304'),
  own('domain', 'saltmarsh-photo.example', 'k-2004', 'c-6304'),
  own('ip_range', '203.0.113.128/27', 'k-2005', 'c-6405'),
  own('ip_range', '203.0.113.160/27', 'k-2005', 'c-6406'),
  own('domain', 'velden-shop.example', 'k-2005', 'c-6405'),
  own('domain', 'mottram.example', 'k-2006', 'c-6507'),
  own('ip_range', '203.0.113.120/29', 'k-2006', 'c-6507'),
  own('account', 'nimbus-88214', 'k-2001', 'c-6001'),
]
