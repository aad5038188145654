// The last script: everything else is there.
'use strict';

Live.connect();
