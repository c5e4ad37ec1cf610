import type { CniConfigurationList } from '../../contracts/node/cni-plugin.ts';
import type { CniAttachment, CniResult } from '../../contracts/node/network-plugin.ts';
import { createMachineFiles, type MachineFiles } from '../../node/files/index.ts';
import type { Link } from '../../node/network/stack/link.ts';
import type { MachineNetwork } from '../../node/network/stack/machine-network.ts';
import type { NetworkNamespace } from '../../node/network/stack/namespace.ts';
import type { Line } from '../../sim/index.ts';

/** Where the container runtime looks. */
export const CONFLIST = '/etc/cni/net.d/10-flannel.conflist';

/** One try to give a pod its network: a sandbox, and what came of it. */
export interface Attachment {
  /** `web-1`. */
  readonly pod: string;
  readonly index: number;
  readonly attachment: CniAttachment;
  readonly namespace: NetworkNamespace;
  readonly hostPort: number | undefined;
  /** `there`: from the success of its ADD to the beginning of its DEL. `given up`: only a GC will see to it. */
  state: 'adding' | 'there' | 'leaving' | 'given up' | 'gone';
  /** What went wrong, in the order of time: `its ADD died at 310 ms`, `the GC at 500 ms left it`. */
  readonly befell: string[];
  result?: CniResult;
  /** What it was given, in words. As long as it is there, that stays so. */
  part?: string;
  /** A user has changed what it was given. */
  isSpoiled?: boolean;
}

/** A machine of the life, with what its runtime knows. */
export class SimNode {
  readonly name: string;
  readonly address: string;
  readonly podCIDR: string;
  readonly bridgeName: string;
  readonly files: MachineFiles = createMachineFiles();
  machine: MachineNetwork;
  /** All that was ever tried here. */
  readonly attachments: Attachment[] = [];
  /** The plugins that run now. */
  readonly lines = new Set<Line>();
  /** How often it was started. */
  boots = 1;
  isOff = false;
  /** How many calls of the runtime are under way. */
  busy = 0;
  isCollecting = false;
  /** Of the bridge, since the first ADD that succeeded. */
  bridgeMac: string | undefined;
  /** What there was before the first plugin ran. */
  baseline: readonly string[] = [];
  /** Addresses that two pods had at once; each is told of once. */
  readonly shared = new Set<string>();
  /** The interface that another program has put into the bridge. */
  foreignPort: Link | undefined;

  constructor(options: {
    readonly name: string;
    readonly address: string;
    readonly podCIDR: string;
    readonly machine: MachineNetwork;
    readonly bridgeName: string;
  }) {
    this.name = options.name;
    this.address = options.address;
    this.podCIDR = options.podCIDR;
    this.machine = options.machine;
    this.bridgeName = options.bridgeName;
  }

  /** Those that have what they asked for. */
  get there(): readonly Attachment[] {
    return this.attachments.filter(({ state }) => state === 'there');
  }

  /** The configuration of the network; undefined while there is none. */
  async conflist(): Promise<CniConfigurationList | undefined> {
    try {
      return JSON.parse(await this.files.readFile(CONFLIST)) as CniConfigurationList;
    } catch {
      return undefined;
    }
  }

  /** The bridge of the pods, if it is there. */
  get bridge(): Link | undefined {
    return this.machine.host.links.get(this.bridgeName);
  }
}

/** The first address of a pod. */
export function addressOf({ result }: Attachment): string | undefined {
  return result?.ips?.[0]?.address?.split('/')[0];
}
