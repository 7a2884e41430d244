"""The servers on one database: leases, presence, bulletins, time."""
