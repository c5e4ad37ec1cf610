import { useEffect, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import { usePage } from '../page-context.ts';
import { type PacketWay, packetWayOf } from './packet-way.ts';

/** Returns the way of the packet in the panel; undefined for other subjects. */
export function usePacketWay(subject: Subject | undefined): PacketWay | undefined {
  const { service, report } = usePage();
  const [way, setWay] = useState<PacketWay>();
  const id = subject?.kind === 'message' ? subject.id : undefined;
  useEffect(() => {
    setWay(undefined);
    if (id === undefined) return;
    let isLate = false;
    service.inspect({ kind: 'message', id }).then((details) => {
      if (isLate || details?.kind !== 'message' || !details.hops) return;
      setWay(packetWayOf(details.hops, details.fate));
    }, report);
    return () => {
      isLate = true;
    };
  }, [service, report, id]);
  return way;
}
