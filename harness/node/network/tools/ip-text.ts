/** One JSON object in the output of `ip`, for one line of text or a few. */
type Shown = Readonly<Record<string, unknown>>;

/**
 * Formats the JSON output of `ip` as text for people.
 *
 * Differs: it does not print the namespace of the other end of a pair.
 *
 * @param object - `link`, `addr`, `route`, `neigh` or `netns`
 * @param command - `show`, or `get` for the route to one address
 * @param shown - the JSON output
 */
export function formatShown(object: string, command: string, shown: readonly Shown[]): string {
  const format = command === 'get' ? formatWay : (formats[object[0] ?? ''] ?? formatName);
  return shown.map((each) => `${format(each)}\n`).join('');
}

/** The formats by the first letter of the object. `netns` shares its letter with `neigh`. */
const formats: Readonly<Record<string, (each: Shown) => string>> = {
  l: (each) => formatLink(each, ' mode DEFAULT'),
  a: (each) => [formatLink(each), ...(each.addr_info as readonly Shown[]).map(addressOf(each))].join('\n'),
  r: formatRoute,
  n: (each) => ('lladdr' in each ? formatNeighbour(each) : formatName(each)),
};

function formatLink(each: Shown, mode = ''): string {
  const { ifindex, ifname, mtu, master, operstate, link_type, address, broadcast } = each;
  const flags = each.flags as readonly string[];
  const other = 'link' in each ? `@${each.link}` : 'link_index' in each ? `@if${each.link_index}` : '';
  const queue = flags.includes('UP') ? 'noqueue' : 'noop';
  const of = master === undefined ? '' : ` master ${master}`;
  return [
    `${ifindex}: ${ifname}${other}: <${flags.join(',')}> mtu ${mtu} qdisc ${queue}${of} state ${operstate}${mode} group default qlen 1000`,
    `    link/${link_type} ${address} brd ${broadcast}`,
  ].join('\n');
}

function addressOf({ ifname }: Shown): (address: Shown) => string {
  return ({ family, local, prefixlen, scope, secondary }) => {
    const rest = `${secondary ? ' secondary' : ''} ${family === 'inet' ? ifname : ''}`;
    return `    ${family} ${local}/${prefixlen} scope ${scope}${rest}\n       valid_lft forever preferred_lft forever`;
  };
}

function formatRoute({ type, dst, gateway, dev, protocol, scope, prefsrc, metric, flags }: Shown): string {
  const words: readonly (readonly [string, unknown])[] = [
    ['', type],
    ['', dst],
    ['via ', gateway],
    ['dev ', dev],
    ['proto ', protocol],
    ['scope ', scope],
    ['src ', prefsrc],
    ['metric ', metric],
    ...(flags as readonly string[]).map((flag) => ['', flag] as const),
  ];
  return words.map(([name, value]) => (value === undefined ? '' : `${name}${value} `)).join('');
}

function formatWay(each: Shown): string {
  return `${formatRoute(each)}uid 0 \n    cache ${each.type === 'local' ? '<local> ' : ''}`;
}

function formatNeighbour({ dst, dev, lladdr, state }: Shown): string {
  return `${dst} dev ${dev} lladdr ${lladdr} ${(state as readonly string[]).join(',')} `;
}

function formatName({ name }: Shown): string {
  return `${name}`;
}
