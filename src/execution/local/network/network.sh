#!/bin/bash
# Prepares a network of its own, says `ready`, and ends with its input. Programs may listen on any port, as the account's own they have
# no right to. It has no parameters.
PATH=/usr/sbin:/sbin:/usr/bin:/bin
ip link set lo up || exit
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
echo ready
read -r
