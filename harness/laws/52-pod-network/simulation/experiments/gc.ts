import { chainName } from '../../../../node/cni/names.ts';
import { type Experiment, REFUSED, said } from './lab.ts';

const config = { isDefaultGateway: true, hairpinMode: true, ipMasq: true };
const validB = [{ containerID: '77aa', ifname: 'eth0' }];
/** Upper bound of a plugin's calls. */
const CALLS = 60;

/** Ports and interfaces of other programs that resemble the plugin's. */
const FOREIGN = [
  'ip link add br7 type bridge',
  'ip link add cni0 type bridge',
  'ip link set cni0 up',
  'ip link add veth0badcafe master br7 type veth peer name p0',
  'ip link set veth0badcafe up',
  'ip link add veth1badcafe master br7 type veth peer name p1',
  'ip link add veth2badcafe type veth peer name p2',
  'ip link set veth2badcafe up',
  'ip link add veth3badcafe type bridge',
  'ip link add vethvm0 master cni0 type veth peer name p4',
  'ip link add vm0 master cni0 type veth peer name p5',
];

/** The reason why each belongs to another program. */
const OWNERS: Readonly<Record<string, string>> = {
  veth0badcafe: 'it is a port of another bridge, br7',
  veth1badcafe: 'it is a port of another bridge, br7',
  veth2badcafe: 'it is in no bridge and up; the plugin leaves only interfaces there that are down',
  veth3badcafe: 'it is a bridge',
  vethvm0: 'it is a port of cni0, but its name is not "veth" and eight hexadecimal digits',
  vm0: 'it is a port of cni0, but its name is not "veth" and eight hexadecimal digits',
};

/** Checks that GC removes only remains of invalid attachments. */
const amongOthers: Experiment = async ({ lab, expect }) => {
  for (const list of ['absent', 'empty', 'of one'] as const) {
    const here = lab(...FOREIGN);
    const foreign = here.links().filter((line) => !line.startsWith('cni0 '));
    for (const container of ['4f5c', '77aa']) await here.run({ command: 'ADD', container, config });
    const valid = { empty: [], 'of one': validB, absent: undefined }[list];
    const how = said(
      await here.run({ command: 'GC', config: { ...config, 'cni.dev/valid-attachments': valid } }),
    );
    const what = {
      absent: 'GC without cni.dev/valid-attachments',
      empty: 'GC with no valid attachment',
      'of one': 'GC with one valid attachment',
    }[list];
    expect(how === 'succeeds', 'succeeds', `${what} ${how}`);
    const links = here.links();
    const gone = foreign.filter((line) => !links.includes(line)).map((line) => line.split(' ')[0] ?? '');
    const named = Object.keys(OWNERS).find((name) => gone.includes(name)) ?? gone[0] ?? '';
    expect(
      gone.length === 0,
      'undisturbed',
      `${what} removed ${named}, an interface of another program: ${OWNERS[named] ?? 'the plugin did not make it'}`,
    );
    const invalid = list === 'of one' ? ['4f5c'] : ['4f5c', '77aa'];
    for (const container of invalid)
      expect(
        here.partsOf(container).length === 0,
        'collects',
        `${what} left ${here.partsOf(container)[0]} of ${container}, which is not valid`,
      );
    if (list === 'of one')
      expect(
        here.inside('77aa').links.has('eth0') && here.held.has('77aa eth0'),
        'undisturbed',
        `${what} removed the interface or the address of the valid container 77aa`,
      );
  }
};

/** Checks that GC tries everything, and reports all failures. */
const failures: Experiment = async ({ lab, expect }) => {
  const made = async () => {
    const here = lab();
    for (const container of ['4f5c', '77aa']) await here.run({ command: 'ADD', container, config });
    return here;
  };
  for (let at = 0; at < CALLS; at++) {
    const here = await made();
    let failed = '';
    here.befalls = ({ words }, index) => {
      if (index !== at) return undefined;
      failed = words;
      return 'fails before';
    };
    const how = said(await here.run({ command: 'GC', config }));
    if (failed === '') break;
    const what = `a GC in which "${failed}" fails`;
    const { calls } = here;
    if (how !== 'succeeds') expect(how.includes(REFUSED), 'succeeds', `${what} ${how}`);
    const left = ['4f5c', '77aa'].flatMap((container) => here.partsOf(container));
    expect(
      how !== 'succeeds' || left.length === 0,
      'succeeds',
      `${what} succeeded, but left ${left[0]}: report the failure`,
    );
    expect(
      calls.some(({ words }) => words === 'host-local GC'),
      'collects',
      `${what} did not call the IPAM plugin: after a failure, go on with the rest`,
    );
    const interfaces = left.filter((part) => part.startsWith('interface'));
    expect(
      interfaces.length <= (/link/.test(failed) ? 1 : 0),
      'collects',
      `${what} left ${interfaces.at(-1)} and did not try to remove it: after a failure, go on with the rest`,
    );
    for (const container of ['4f5c', '77aa']) {
      const chain = chainName('cbr0', container);
      const isTried = calls.some(({ words, stdin }) => `${words} ${stdin}`.includes(chain));
      expect(
        isTried,
        'collects',
        `${what} did not try to remove the rules of ${container}: after a failure, go on with the rest`,
      );
    }
  }
  const here = await made();
  let links = 0;
  here.befalls = ({ words }) => {
    if (words === 'host-local GC') return 'fails before';
    if (!/link del/.test(words)) return undefined;
    links++;
    return 'fails before';
  };
  const how = said(await here.run({ command: 'GC', config }));
  const count = how.split(REFUSED).length - 1;
  expect(
    count >= Math.min(links, 2) + 1,
    'succeeds',
    `a GC in which the removals of ${links} interfaces and the IPAM plugin fail reported ${count} failures ("${how}"); it must try everything and report all failures`,
  );
};

/** Checks that GC removes all remains of a crashed plugin. */
const afterDeath: Experiment = async ({ lab, expect }) => {
  for (const fate of ['dies before', 'dies after'] as const)
    for (let at = 0; at < CALLS; at++) {
      const here = lab();
      let died = '';
      here.befalls = ({ words }, index) => {
        if (index !== at) return undefined;
        died = words;
        return fate;
      };
      await here.run({ command: 'ADD', config });
      if (died === '') break;
      here.befalls = () => undefined;
      const how = said(await here.run({ command: 'GC', config }));
      const what = `an ADD that ${fate.replace('dies', 'died')} "${died}" was carried out`;
      expect(how === 'succeeds', 'succeeds', `GC after ${what} ${how}`);
      const [left] = here.partsOf();
      expect(left === undefined, 'collects', `GC after ${what} leaves ${left}`);
    }
};

/** Experiments with GC. */
export const gcExperiments = {
  'GC beside other programs': amongOthers,
  'a GC with failures': failures,
  'GC after an ADD that crashed': afterDeath,
} satisfies Record<string, Experiment>;
