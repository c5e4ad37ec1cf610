// One file a level, in teaching order.
import './levels/1-counter.test.ts';
import './levels/2-transactions.test.ts';
import './levels/3-ranges.test.ts';
import './levels/4-past.test.ts';
import './levels/5-watches.test.ts';
import './levels/6-log.test.ts';
import './levels/7-objects.test.ts';
import './levels/8-lists.test.ts';
import './levels/9-cache.test.ts';
import './levels/10-freshness.test.ts';
import './levels/11-leases.test.ts';
