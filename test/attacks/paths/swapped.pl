# Run by the attacker: turns names to something else and back, as fast as it can, until "stop" is there. Standard input has
# two paths in each line. renameat2(2) with RENAME_EXCHANGE: at no time one of the names is missing.
my @pairs = map { chomp; [split / /] } <STDIN>;
my ($turn, $began) = (0, time);
until (-e "stop" or time - $began > 300) {
  for (@pairs) { syscall(316, -100, $_->[0], -100, $_->[1], 2) }
  $turn++;
}
print "$turn\n";
