import { isDeepStrictEqual } from 'node:util';
import { cniCodes } from '../../../node/cni/skel.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { HistoryEntry, Run } from '../history.ts';
import { denied, given } from '../laws/asked.ts';
import { judgeStatus, misconfigured } from '../laws/configured.ts';
import { answerOf, describeAnswer, type Said } from '../render/history.ts';
import { type IpamScenario, ownerOf } from '../scenario/index.ts';
import { fileOf, type NetworkPlan, ROUTES } from '../scenario/networks.ts';
import { describeFree, describeUnused, describeVanished, holders } from './holders.ts';
import { certainlyAllocated, type Flight, Ledger, possiblyAllocated, type Standing } from './ledger.ts';
import { onDisk } from './on-disk.ts';
import type { LawName } from './reading.ts';
import { Round } from './round.ts';

type Entry<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { readonly kind: K }>;

/** The known state of one network. */
export interface Account {
  plan: NetworkPlan;
  readonly ledger: Ledger;
  readonly round: Round;
  /** The files at the last moment without a running process; undefined if a command has run in this network since. */
  disk: Readonly<Record<string, string>> | undefined;
  /** If only commands that change nothing have run since: the law that says so. */
  onlyLooked: LawName | undefined;
  /** The last GC, if no command has started since it ended. */
  collected: Run | undefined;
  /** The files, at that moment, that are not reservations: drafts, empty files. */
  litter: readonly string[];
  /** Whether there may be more of them: a process has crashed since. */
  mayLitter: boolean;
  /** The law that a new one violates. */
  blamed: LawName;
}

/** Follows a history entry by entry, and records violations. */
export class AddressModel {
  readonly violations = new Map<LawName, Violation[]>();
  readonly met = new Set<LawName>();
  inVain: Violation | undefined;
  readonly #accounts: readonly Account[];
  #atMs = 0;
  #trouble = { faulty: false, isHindered: false };

  /** Whether the scenario requests addresses: then a container may have several addresses of one set. */
  readonly #hasAsked: boolean;

  constructor({ networks, steps }: Pick<IpamScenario, 'networks' | 'steps'>) {
    this.#hasAsked = steps.some((step) => 'asksFor' in step);
    this.#accounts = networks.map((plan) => ({
      plan,
      ledger: new Ledger(),
      round: new Round(plan.sets),
      disk: undefined,
      onlyLooked: undefined,
      collected: undefined,
      litter: [],
      mayLitter: false,
      blamed: 'kept',
    }));
  }

  enter(entry: HistoryEntry): void {
    this.#atMs = entry.atMs;
    switch (entry.kind) {
      case 'begins':
        this.#begin(entry.run, this.#accounts[entry.run.network] as Account);
        break;
      case 'ends':
        this.#end(entry, this.#accounts[entry.run.network] as Account);
        break;
      case 'dies':
        this.#die(entry.run, this.#accounts[entry.run.network] as Account);
        break;
      case 'cut':
        for (const account of this.#accounts) {
          account.ledger.cut();
          account.round.cut();
          account.disk = undefined;
          account.collected = undefined;
          account.mayLitter = true;
        }
        break;
      case 'left': {
        const account = this.#accounts[entry.network] as Account;
        account.disk = undefined;
        account.collected = undefined;
        account.mayLitter = true;
        const [, set] = /^last_reserved_ip\.(\d+)$/.exec(entry.name) ?? [];
        if (set !== undefined) account.round.forget(Number(set));
        break;
      }
      case 'configured': {
        const account = this.#accounts[entry.network] as Account;
        account.plan = entry.plan;
        account.round.configure(entry.plan.sets);
        break;
      }
      case 'disk':
        this.#trouble = { faulty: entry.full, isHindered: entry.fails ?? false };
        if (entry.full)
          for (const { ledger } of this.#accounts)
            for (const flight of ledger.flights.values()) Object.assign(flight, this.#trouble);
        break;
      case 'stuck':
        this.violation(
          'answers',
          `${describeRunOf(entry.run)} never ends: it waits for something that never happens`,
        );
        break;
      case 'rest':
        onDisk(this, this.#accounts, entry.disk);
        break;
    }
  }

  violation(law: LawName, message: string): void {
    const known = this.violations.get(law);
    if (known) known.push({ atMs: this.#atMs, message });
    else this.violations.set(law, [{ atMs: this.#atMs, message }]);
  }

  #begin(run: Run, account: Account): void {
    const { ledger, round } = account;
    const looks = lookers[run.command];
    account.onlyLooked = looks;
    if (!looks) account.disk = undefined;
    account.collected = undefined;
    const { before } = ledger.begin(run, this.#trouble);
    const unsure = (container: string): void => {
      const standing = ledger.standing(container);
      if (standing.kind !== 'free') ledger.set(container, { ...standing, kind: 'unsure' });
    };
    if (run.command === 'ADD') {
      round.beginAdd(run.asksFor !== undefined);
      const adds = before.adds + 1;
      if (before.kind === 'held')
        ledger.set(run.container, { ...before, adds, wild: run.asksFor !== undefined });
      else ledger.set(run.container, { ...before, kind: 'unsure', wild: true, adds });
    }
    if (releases(run)) round.beginRelease();
    if (run.command === 'DEL') unsure(run.container);
    if (run.valid)
      for (const container of ledger.containers.keys()) if (!run.valid.includes(container)) unsure(container);
  }

  #die(run: Run, account: Account): void {
    const { ledger, round } = account;
    account.mayLitter = true;
    this.met.add('answers');
    ledger.flights.delete(run.number);
    if (run.command === 'ADD') round.endAdd(undefined);
    if (releases(run)) round.endRelease();
  }

  #end({ run, answer }: Entry<'ends'>, account: Account): void {
    const { ledger, round } = account;
    const flight = ledger.flights.get(run.number) as Flight;
    ledger.flights.delete(run.number);
    const said = answerOf(answer.stdout);
    const failed = answer.code === 0 ? undefined : describeAnswer(answer);
    if (!failed) ledger.isMade = true;
    if (releases(run)) round.endRelease();
    if (run.command === 'STATUS' && account.blamed === 'kept') account.blamed = 'ready';
    if (run.command === 'ADD' && failed) account.blamed = 'undoes';
    switch (run.command) {
      case 'ADD':
        if (account.plan.refused !== undefined) misconfigured(this, flight, account, said, failed);
        else if (failed === undefined) this.#granted(flight, account, said);
        else this.#denied(flight, account, { ...said, failed });
        break;
      case 'DEL':
        this.#released(flight, account, failed);
        break;
      case 'GC':
        if (run.valid) this.#collected(flight, account, failed);
        else if (said.code !== cniCodes.invalidNetworkConfig)
          this.violation(
            'collects',
            `a GC without cni.dev/valid-attachments ended with ${failed ?? 'success'}; expected code 7`,
          );
        break;
      case 'CHECK':
        this.#checked(flight, said, failed);
        break;
      case 'STATUS':
        judgeStatus(this, flight, account, said, failed);
        break;
    }
  }

  #granted(flight: Flight, account: Account, { ips = [], routes = [], interfaces = [] }: Said): void {
    const { run, before } = flight;
    const { plan, ledger, round } = account;
    const { container, asksFor } = run;
    const addresses = ips.map(({ address = '' }) => address);
    this.met.add('usable');
    if (ips.length !== plan.sets.length)
      this.violation(
        'usable',
        `ADD ${container} returned ${ips.length} addresses; expected one from each of the ${plan.sets.length} range sets`,
      );
    const { routes: expected = ROUTES } = plan;
    if (!isDeepStrictEqual(routes, expected))
      this.violation(
        'usable',
        `ADD ${container} returned the routes ${JSON.stringify(routes)}; expected ${JSON.stringify(expected)}`,
      );
    if (interfaces.length > 0)
      this.violation('usable', `ADD ${container} returned interfaces, but an IPAM plugin creates none`);
    for (const [i, { address = '', gateway }] of ips.entries()) {
      const set = plan.sets[i];
      const at = set?.addresses.indexOf(address) ?? -1;
      if (set && address === '')
        this.violation(
          'usable',
          `ADD ${container} returned no address for range set ${i} (${describeFree(flight, set)})`,
        );
      else if (at < 0)
        this.violation(
          'usable',
          `ADD ${container} returned ${address}; expected one of ${set?.addresses.join(', ')}`,
        );
      else if (gateway !== set?.gateways[at])
        this.violation(
          'usable',
          `ADD ${container} returned ${address} with the gateway ${gateway}; expected ${set?.gateways[at]}`,
        );
    }
    for (const [other, { kind, addresses: theirs }] of ledger.containers) {
      if (other === container || kind !== 'held') continue;
      this.met.add('unique');
      const twice = theirs.find((address) => addresses.includes(address));
      const set = plan.sets.find((each) => twice && each.addresses.includes(twice));
      if (twice)
        this.violation(
          'unique',
          `ADD ${container} returned ${twice}, which ${other} still has${set ? ` (${describeFree(flight, set)})` : ''}`,
        );
    }
    if (flight.others.size > 0) this.met.add('serves');
    const own = ownOf(before, plan);
    if (own && asksFor === undefined) {
      this.met.add('refuses');
      this.violation(
        'refuses',
        `a second ADD ${container} returned ${addresses.join(', ')}, although ${container} already has ${own.addresses.join(', ')}; ADD must first look in the set for an address of this container ID and interface, and fail with "duplicate allocation is not allowed"`,
      );
    }
    if (asksFor !== undefined) given(this, flight, account, addresses);
    else {
      for (const [i, address] of addresses.entries()) {
        const first = round.jumped(flight, i, address);
        if ([...ledger.containers.values()].some(({ since }) => since)) this.met.add('fair');
        if (first)
          this.violation(
            'fair',
            `ADD ${container} returned ${address}, although ${first} is free and comes first after the last reserved address, which last_reserved_ip.${i} keeps`,
          );
      }
    }
    const kept = before.kind === 'held' ? before.addresses : [];
    ledger.set(container, {
      kind: 'held',
      addresses: [...kept, ...addresses],
      wild: false,
      adds: before.adds + 1,
    });
    round.endAdd(addresses);
  }

  #denied(flight: Flight, { plan, ledger, round }: Account, said: Said & { readonly failed: string }): void {
    const { run, before, faulty } = flight;
    const { container } = run;
    const { code, msg = '', failed } = said;
    const [, index = '', why = ''] = /^failed to allocate for range (\d+): (.*)$/s.exec(msg) ?? [];
    const set = plan.sets[Number(index)];
    const isFull = why.startsWith('no IP addresses available');
    const isTwice = / has been allocated to .*, duplicate allocation is not allowed$/.test(why);
    if (before.kind === 'held') ledger.set(container, before);
    else if (before.kind === 'free') ledger.free(container, 'ADD');
    round.endAdd(index === '0' && (isFull || isTwice) && !faulty ? [] : undefined);
    if (before.kind === 'free') this.met.add('undoes');
    if (before.kind === 'free' && !faulty && flight.others.size === 0)
      this.inVain ??= { atMs: this.#atMs, message: `ADD ${container} says "${failed}"` };
    if (run.asksFor !== undefined) {
      denied(this, flight, plan, said);
      return;
    }
    const own = ownOf(before, plan);
    if (own) {
      this.met.add('refuses');
      const { containerID } = ownerOf(container);
      const wanted = own.addresses.map(
        (each) =>
          `failed to allocate for range ${own.set}: ${fileOf(each)} has been allocated to ${containerID}, duplicate allocation is not allowed`,
      );
      if (!faulty && (!wanted.includes(msg) || code !== 999))
        this.violation(
          'refuses',
          `a second ADD ${container} failed with "${failed}"; expected "code 999: ${wanted[0]}"`,
        );
      return;
    }
    if (before.kind === 'unsure' && isTwice) return;
    const wholly = plan.sets.find((each) => certainlyAllocated(flight, each).size === each.addresses.length);
    if (isFull && set) {
      if (wholly) this.met.add('full');
      const wanted = `no IP addresses available in range set: ${set.said}`;
      if (why !== wanted || code !== 999)
        this.violation(
          'full',
          `ADD ${container} failed with "${failed}"; expected "code 999: failed to allocate for range ${index}: ${wanted}"`,
        );
      const allocated = possiblyAllocated(flight, set, this.#hasAsked);
      if (allocated < set.addresses.length)
        this.violation(
          'serves',
          `ADD ${container} reported that ${set.said} is full, but at least ${set.addresses.length - allocated} of its ${set.addresses.length} addresses must be free${holders(ledger, set)}${describeUnused(flight, set)}`,
        );
      return;
    }
    if (faulty) return;
    if (wholly)
      this.violation(
        'full',
        `ADD ${container} failed with "${failed}", although ${wholly.said} is full: that must be the error`,
      );
    else
      this.violation(
        'serves',
        `ADD ${container} must succeed, but failed with "${failed}"${describeVanished(failed)}`,
      );
  }

  #released({ run, faulty, isHindered }: Flight, { ledger }: Account, failed: string | undefined): void {
    this.met.add('releases');
    if (failed !== undefined) {
      if (!isHindered && (!faulty || ledger.isMade))
        this.violation('releases', `DEL ${run.container} must succeed, but failed with "${failed}"`);
      return;
    }
    ledger.free(run.container, 'DEL');
  }

  #collected({ run, faulty, isHindered }: Flight, account: Account, failed: string | undefined): void {
    const { ledger } = account;
    if (failed !== undefined) {
      if (!isHindered && (!faulty || ledger.isMade))
        this.violation('collects', `GC must succeed, but failed with "${failed}"`);
      return;
    }
    account.collected = run;
    for (const [container, { kind }] of ledger.containers) {
      if (run.valid?.includes(container) || kind === 'free') continue;
      this.met.add('collects');
      ledger.free(container, 'GC');
    }
  }

  #checked(
    { run: { container }, before, faulty }: Flight,
    { code, msg }: Said,
    failed: string | undefined,
  ): void {
    const wanted = `host-local: Failed to find address added by container ${ownerOf(container).containerID}`;
    if (before.kind === 'held' && !faulty) {
      this.met.add('checks');
      if (failed)
        this.violation(
          'checks',
          `CHECK ${container} failed with "${failed}", although the container has ${before.addresses.join(', ')}`,
        );
    }
    if (before.kind !== 'free' || faulty) return;
    if (!failed)
      this.violation('checks', `CHECK ${container} succeeded, although the container has no address`);
    else if (msg !== wanted || code !== 999)
      this.violation('checks', `CHECK ${container} failed with "${failed}"; expected "code 999: ${wanted}"`);
  }
}

/** Commands that change nothing, and the law that says so. */
const lookers: Readonly<Partial<Record<Run['command'], LawName>>> = { CHECK: 'checks', STATUS: 'ready' };

/** Returns the first configured set with addresses of a container, and these addresses. */
function ownOf({ kind, addresses }: Standing, { sets }: NetworkPlan) {
  if (kind !== 'held') return undefined;
  const own = sets.map((set) => addresses.filter((each) => set.addresses.includes(each)));
  const set = own.findIndex((each) => each.length > 0);
  return set < 0 ? undefined : { set, addresses: own[set] ?? [] };
}

/** Returns whether a command releases addresses. */
const releases = ({ command, valid }: Run): boolean => command === 'DEL' || valid !== undefined;

const describeRunOf = ({ command, container }: Run) => [command, container].filter(Boolean).join(' ');
