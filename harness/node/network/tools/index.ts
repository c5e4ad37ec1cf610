import { type NetworkTools, ToolError } from '../../../contracts/node/network-tools.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { bridge } from './bridge.ts';
import { conntrack } from './conntrack.ts';
import { ip } from './ip.ts';
import { iptables } from './iptables/iptables.ts';
import { iptablesRestore, iptablesSave } from './iptables/save-restore.ts';
import type { Namespaces } from './namespaces.ts';
import { sysctl } from './sysctl.ts';
import { Refusal } from './words.ts';

/** Creates the network tools of a machine. Each command takes effect at once. */
export function networkTools(namespaces: Namespaces): NetworkTools {
  return {
    async run(argv, stdin = '') {
      try {
        return runTool(namespaces, argv, stdin);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new ToolError({
          command: argv.join(' '),
          exitCode: error.exitCode,
          stderr: `${error.message}\n`,
        });
      }
    },
  };
}

/** Runs a command of a machine. @returns its standard output @throws Refusal when the command fails */
export function runTool(namespaces: Namespaces, argv: readonly string[], stdin = ''): string {
  return runIn(namespaces.host, argv, { stdin, namespaces });
}

interface Run {
  readonly stdin: string;
  readonly namespaces: Namespaces;
}

function runIn(at: NetworkNamespace, argv: readonly string[], { stdin, namespaces }: Run): string {
  const [program = '', ...words] = argv;
  switch (program) {
    case 'nsenter': {
      const [option = '', ...command] = words;
      const name = /^--net=(?:\/var)?\/run\/netns\/(.+)$/.exec(option)?.[1];
      if (name === undefined) throw new Refusal(`nsenter: unrecognized option '${option}'`);
      return runIn(namespaces.called(name), command, { stdin, namespaces });
    }
    case 'ip':
      return ip(words, at, namespaces);
    case 'bridge':
      return bridge(words, at, namespaces);
    case 'iptables':
      return iptables(words, at, 4);
    case 'ip6tables':
      return iptables(words, at, 6);
    case 'iptables-save':
      return iptablesSave(words, at, 4);
    case 'ip6tables-save':
      return iptablesSave(words, at, 6);
    case 'iptables-restore':
      return iptablesRestore(words, stdin, { at, family: 4 });
    case 'ip6tables-restore':
      return iptablesRestore(words, stdin, { at, family: 6 });
    case 'conntrack':
      return conntrack(words, at);
    case 'sysctl':
      return sysctl(words, at);
    default:
      throw new Refusal(`${program}: command not found`, 127);
  }
}
