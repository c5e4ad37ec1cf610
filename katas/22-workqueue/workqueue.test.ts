// One file a level, in teaching order.
import './levels/1-line.test.ts';
import './levels/2-in-hand.test.ts';
import './levels/3-shut-down.test.ts';
import './levels/4-later.test.ts';
import './levels/5-backoff.test.ts';
import './levels/6-bucket.test.ts';
import './levels/7-worker.test.ts';
import './levels/8-workers.test.ts';
import './levels/9-drain.test.ts';
